//! Ids of entities that were merged into others.

use std::collections::BTreeMap;

use fdna_schemas::ColumnError;
use fdna_schemas::tables::{AliasesReader, AliasesRow};
use uuid::Uuid;

/// By the id that is no longer an entity's own, the one that it was merged into.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IdAliases(BTreeMap<Uuid, Uuid>);

impl IdAliases {
    /// The columns that are read.
    pub const COLUMNS: [&str; 2] = [AliasesRow::ALIAS_ID.name, AliasesRow::ENTITY_ID.name];

    /// # Errors
    /// A column is missing.
    pub fn read_aliases(aliases: AliasesReader<'_>) -> Result<Self, ColumnError> {
        Ok(Self(aliases.alias_id()?.into_iter().zip(aliases.entity_id()?).collect()))
    }

    /// The id that stands for an entity today.
    #[must_use]
    pub fn survivor_of(&self, mut id: Uuid) -> Uuid {
        // A chain of merges is short, and no circle: the bound only keeps a damaged table from hanging us.
        for _ in 0..16 {
            let Some(next) = self.0.get(&id) else { break };
            id = *next;
        }
        id
    }
}
