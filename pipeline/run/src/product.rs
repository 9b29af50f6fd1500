//! The products that this program makes, each in lakes of its own.

use fdna_lake::{CATALOG_PRODUCT, Lake, PRODUCT, PROPERTIES_PRODUCT, product_of};

/// Product of a lake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// Fight DNA.
    Mma,
    /// Tables of the multi-sport catalog.
    Catalog,
    /// Properties and their sales.
    Properties,
}

impl Product {
    fn from_name(name: &str) -> Self {
        match name {
            CATALOG_PRODUCT => Self::Catalog,
            PROPERTIES_PRODUCT => Self::Properties,
            _ => Self::Mma,
        }
    }

    /// The product that is made of captures of this source.
    pub fn of_source(source: &str) -> Self {
        Self::from_name(product_of(source))
    }

    /// The product of a lake; `None` before its first capture, and where its log cannot be read.
    pub fn of_lake(lake: &Lake) -> Option<Self> {
        let log = lake.capture_log().ok()?;
        Some(Self::from_name(&log.kind.as_ref()?.product))
    }

    /// As lakes name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mma => PRODUCT,
            Self::Catalog => CATALOG_PRODUCT,
            Self::Properties => PROPERTIES_PRODUCT,
        }
    }

    /// The command that makes it.
    pub fn run_command(self) -> &'static str {
        match self {
            Self::Mma => "fightdna run",
            Self::Catalog => "fightdna catalog run",
            Self::Properties => "fightdna properties run",
        }
    }
}
