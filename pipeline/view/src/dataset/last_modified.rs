//! Time of an entity's last change: the newest of its first sight and its corrections.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{BoutsReader, ContractReader as _, CorrectionsReader, IdentitiesReader};
use uuid::Uuid;

use super::columns::instant;

/// Newest instant per entity.
#[derive(Debug, Default)]
pub(crate) struct LastModified(HashMap<Uuid, DateTime<Utc>>);

impl LastModified {
    pub(crate) fn read(identities: &RecordBatch, corrections: &RecordBatch) -> Result<Self, ColumnError> {
        let mut updated = Self::default();
        let (ids, values) = (IdentitiesReader::of(identities), CorrectionsReader::of(corrections));
        let seen = ids.entity_id()?.into_iter().zip(ids.first_seen_at()?);
        let replaced = values.entity_id()?.into_iter().zip(values.replaced_at()?);
        seen.chain(replaced).for_each(|(id, at)| updated.add(id, at));
        Ok(updated)
    }

    fn add(&mut self, id: Uuid, at: DateTime<Utc>) {
        let newest = self.0.entry(id).or_insert(at);
        *newest = at.max(*newest);
    }

    /// An event has changed when one of its bouts has, and a fighter too: a card and a record are made of them.
    pub(crate) fn spread(&mut self, bouts: &RecordBatch) -> Result<(), ColumnError> {
        let table = BoutsReader::of(bouts);
        let bouts = table.bout_id()?;
        for made_of_bouts in [table.event_id()?, table.fighter_a_id()?, table.fighter_b_id()?] {
            for (bout, id) in bouts.iter().zip(made_of_bouts) {
                let Some(at) = self.0.get(bout).copied() else { continue };
                self.add(id, at);
            }
        }
        Ok(())
    }

    /// RFC 3339 with offset.
    pub(crate) fn of(&self, id: Uuid) -> Option<String> {
        self.0.get(&id).copied().map(instant)
    }
}
