//! Records of a source that is no table of rows, to its facts tables.

use arrow::array::RecordBatch;

use super::{Bout, Event, Fighter, table};
use crate::IngestError;
use crate::records::{self, Placed};

#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) events: Vec<Placed<Event>>,
    pub(crate) bouts: Vec<Placed<Bout>>,
    pub(crate) fighters: Vec<Placed<Fighter>>,
}

fn values<T>(rows: &[Placed<T>]) -> Vec<&T> {
    rows.iter().map(|row| &row.value).collect()
}

impl Facts {
    /// Tables of events, bouts and fighters; empty ones too.
    pub(crate) fn tables(&self, id_space: &str) -> Result<Vec<(String, RecordBatch)>, IngestError> {
        let Self { events, bouts, fighters } = self;
        Ok(vec![
            records::table("schedule_events", |t| {
                table::events(records::writer(t, events), id_space, &values(events))
            })?,
            records::table("schedule_bouts", |t| {
                table::bouts(records::writer(t, bouts), id_space, &values(bouts))
            })?,
            records::table("schedule_fighters", |t| {
                table::fighters(records::writer(t, fighters), id_space, &values(fighters))
            })?,
        ])
    }
}
