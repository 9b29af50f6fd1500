//! Records of a source that is no table of rows, to its facts tables.

use arrow::array::RecordBatch;
use fdna_schemas::tables::{ContractRow as _, ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow};

use super::{ScheduledBout, ScheduledEvent, ScheduledFighter, push_bout, push_event, push_fighter};
use crate::IngestError;
use crate::record_files::{LocatedRow, table_of};

#[derive(Default)]
pub(crate) struct ScheduleFacts {
    pub(crate) events: Vec<LocatedRow<ScheduledEvent>>,
    pub(crate) bouts: Vec<LocatedRow<ScheduledBout>>,
    pub(crate) fighters: Vec<LocatedRow<ScheduledFighter>>,
}

impl ScheduleFacts {
    /// Tables of events, bouts and fighters; empty ones too.
    pub(crate) fn tables(&self, id_space: &str) -> Result<Vec<(String, RecordBatch)>, IngestError> {
        Ok(vec![
            table_of(ScheduleEventsRow::TABLE, &self.events, |to, at, e| push_event(to, id_space, at, e))?,
            table_of(ScheduleBoutsRow::TABLE, &self.bouts, |to, at, b| push_bout(to, id_space, at, b))?,
            table_of(ScheduleFightersRow::TABLE, &self.fighters, |to, at, f| {
                push_fighter(to, id_space, at, f)
            })?,
        ])
    }
}
