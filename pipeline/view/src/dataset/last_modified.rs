//! When an entity last changed: the newest of its first sight and its corrections.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

use super::columns::instant;

/// Newest instant per entity.
#[derive(Debug, Default)]
pub(crate) struct LastModified(HashMap<Uuid, DateTime<Utc>>);

impl LastModified {
    pub(crate) fn read(identities: &RecordBatch, corrections: &RecordBatch) -> Result<Self, ColumnError> {
        let mut updated = Self::default();
        updated.add(&TableReader::new("identities", identities), "first_seen_at")?;
        updated.add(&TableReader::new("corrections", corrections), "replaced_at")?;
        Ok(updated)
    }

    fn add(&mut self, table: &TableReader<'_>, column: &str) -> Result<(), ColumnError> {
        for (id, at) in table.ids("entity_id")?.into_iter().zip(table.instants(column)?) {
            let Some(at) = at else { continue };
            let newest = self.0.entry(id).or_insert(at);
            *newest = at.max(*newest);
        }
        Ok(())
    }

    /// An event has changed when one of its bouts has, and a fighter too: a card and a record are made of them.
    pub(crate) fn spread(&mut self, bouts: &RecordBatch) -> Result<(), ColumnError> {
        let table = TableReader::new("bouts", bouts);
        let bouts = table.ids("bout_id")?;
        for column in ["event_id", "fighter_a_id", "fighter_b_id"] {
            for (bout, of) in bouts.iter().zip(table.ids(column)?) {
                let Some(at) = self.0.get(bout).copied() else { continue };
                let newest = self.0.entry(of).or_insert(at);
                *newest = at.max(*newest);
            }
        }
        Ok(())
    }

    /// RFC 3339 with offset.
    pub(crate) fn of(&self, id: Uuid) -> Option<String> {
        self.0.get(&id).copied().map(instant)
    }
}
