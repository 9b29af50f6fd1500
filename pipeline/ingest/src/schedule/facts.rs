//! Records of a source that is no table of rows, to its facts tables.

use arrow::array::RecordBatch;

use super::{ScheduledBout, ScheduledEvent, ScheduledFighter, table};
use crate::IngestError;
use crate::record_files::{self, LocatedRow};

#[derive(Default)]
pub(crate) struct ScheduleFacts {
    pub(crate) events: Vec<LocatedRow<ScheduledEvent>>,
    pub(crate) bouts: Vec<LocatedRow<ScheduledBout>>,
    pub(crate) fighters: Vec<LocatedRow<ScheduledFighter>>,
}

fn values<T>(rows: &[LocatedRow<T>]) -> Vec<&T> {
    rows.iter().map(|row| &row.value).collect()
}

impl ScheduleFacts {
    /// Tables of events, bouts and fighters; empty ones too.
    pub(crate) fn tables(&self, id_space: &str) -> Result<Vec<(String, RecordBatch)>, IngestError> {
        let Self { events, bouts, fighters } = self;
        Ok(vec![
            record_files::table("schedule_events", |t| {
                table::events(record_files::writer(t, events), id_space, &values(events))
            })?,
            record_files::table("schedule_bouts", |t| {
                table::bouts(record_files::writer(t, bouts), id_space, &values(bouts))
            })?,
            record_files::table("schedule_fighters", |t| {
                table::fighters(record_files::writer(t, fighters), id_space, &values(fighters))
            })?,
        ])
    }
}
