//! Pairings of bouts: both fighters, day and status.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_schemas::tables::{BoutsReader, ContractReader as _};
use uuid::Uuid;

use super::{DatasetError, Status};

/// Who fights whom and when: what fighters need to know before bouts can be written.
#[derive(Debug)]
pub(crate) struct BoutPairings {
    pub(crate) rows: Vec<BoutPairing>,
    by_bout: HashMap<Uuid, usize>,
}

#[derive(Debug)]
pub(crate) struct BoutPairing {
    pub(crate) id: Uuid,
    pub(crate) date: NaiveDate,
    pub(crate) status: Status,
    pub(crate) fighters: [Uuid; 2],
}

impl BoutPairings {
    pub(crate) fn read(batch: &RecordBatch) -> Result<Self, DatasetError> {
        let table = BoutsReader::of(batch);
        let fighters = table.fighter_a_id()?.into_iter().zip(table.fighter_b_id()?);
        let told = table.event_date()?.into_iter().zip(table.status()?).zip(fighters);
        let ids = table.bout_id()?;
        let rows = told.zip(&ids).map(|(((date, status), (a, b)), id)| BoutPairing {
            id: *id,
            date,
            status: Status::of(status),
            fighters: [a, b],
        });
        let rows = rows.collect();
        Ok(Self { rows, by_bout: ids.into_iter().enumerate().map(|(row, id)| (id, row)).collect() })
    }

    pub(crate) fn fighters_of(&self, bout: Uuid) -> Option<[Uuid; 2]> {
        self.by_bout.get(&bout).map(|&row| self.rows[row].fighters)
    }
}
