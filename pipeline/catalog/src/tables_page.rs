//! Paths of the tables of snapshots, which are no routes: every product has them.

use fdna_api::Plan;
use fdna_api::operations::snapshots::{TABLE_FILE, TABLES};

use crate::without_prefix;

/// The list of a snapshot's tables, or the file of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TablesPage {
    Tables,
    File,
}

impl TablesPage {
    pub const ALL: [Self; 2] = [Self::Tables, Self::File];

    /// The page of a path, with or without a prefix.
    #[must_use]
    pub fn find(path: &str) -> Option<Self> {
        let rest = without_prefix(path).strip_prefix("/catalog/snapshots/")?;
        match rest.split('/').collect::<Vec<_>>()[..] {
            [_, "tables"] => Some(Self::Tables),
            [_, "tables", _] => Some(Self::File),
            _ => None,
        }
    }

    #[must_use]
    pub const fn template(self) -> &'static str {
        match self {
            Self::Tables => "/catalog/snapshots/{id}/tables",
            Self::File => "/catalog/snapshots/{id}/tables/{file}",
        }
    }

    /// Name of the operation, as MMA has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tables => TABLES.name,
            Self::File => TABLE_FILE.name,
        }
    }

    /// The lowest plan that has it.
    #[must_use]
    pub const fn plan(self) -> Plan {
        match self {
            Self::Tables => TABLES.plan,
            Self::File => TABLE_FILE.plan,
        }
    }
}
