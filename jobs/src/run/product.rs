//! What runs make, and by which commands.

use std::collections::BTreeSet;

use fdna_lake::{CATALOG_PRODUCT, PRODUCT, PROPERTIES_PRODUCT, product_of};

/// What a run makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunProduct {
    /// Fight DNA.
    Mma,
    /// Tables of the multi-sport catalog.
    Catalog {
        /// Licences whose sources count.
        licences: BTreeSet<String>,
    },
    /// Properties and their sales.
    Properties {
        /// Licences whose sources count.
        licences: BTreeSet<String>,
    },
}

impl RunProduct {
    /// As lakes name it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Mma => PRODUCT,
            Self::Catalog { .. } => CATALOG_PRODUCT,
            Self::Properties { .. } => PROPERTIES_PRODUCT,
        }
    }

    pub(crate) fn licences(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::Mma => None,
            Self::Catalog { licences } | Self::Properties { licences } => Some(licences),
        }
    }
}

/// The command that makes a product of captures of this source.
pub(crate) fn run_command(source: &str) -> &'static str {
    command_of(product_of(source))
}

/// The command that makes this product.
pub(crate) fn command_of(product: &str) -> &'static str {
    match product {
        CATALOG_PRODUCT => "fightdna catalog run",
        PROPERTIES_PRODUCT => "fightdna properties run",
        _ => "fightdna run",
    }
}
