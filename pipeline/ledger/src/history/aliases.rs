//! Ids of entities that were merged into others.

use std::collections::BTreeMap;

use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

/// By the id that is no longer an entity's own, the one that it was merged into.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IdAliases(BTreeMap<Uuid, Uuid>);

impl IdAliases {
    /// The columns that are read.
    pub const COLUMNS: [&str; 2] = ["alias_id", "entity_id"];

    /// Reads them from the table `aliases`.
    ///
    /// # Errors
    /// A column is missing.
    pub fn read(r: &TableReader<'_>) -> Result<Self, ColumnError> {
        let [alias, entity] = Self::COLUMNS;
        Ok(Self(r.ids(alias)?.into_iter().zip(r.ids(entity)?).collect()))
    }

    /// The id that stands for an entity today.
    #[must_use]
    pub fn survivor(&self, mut id: Uuid) -> Uuid {
        // A chain of merges is short, and no circle: the bound only keeps a damaged table from hanging us.
        for _ in 0..16 {
            let Some(next) = self.0.get(&id) else { break };
            id = *next;
        }
        id
    }
}
