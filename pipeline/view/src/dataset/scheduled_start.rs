//! When events and bouts are to begin.

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::ScheduledStart;
use fdna_schemas::{ColumnError, TableReader};

use super::columns::{instant, later};

/// Scheduled starts of a table's rows.
#[derive(Debug)]
pub(crate) struct ScheduledStarts<'a> {
    at: Vec<Option<DateTime<Utc>>>,
    /// Of events; bouts have none of their own.
    status: Vec<Option<&'a str>>,
}

impl<'a> ScheduledStarts<'a> {
    pub(crate) fn read(table: &'a str, batch: &'a RecordBatch) -> Result<Self, ColumnError> {
        let reader = TableReader::new(table, batch);
        Ok(Self {
            at: later(batch, "start_at", |name| reader.instants(name))?,
            status: later(batch, "start_status", |name| reader.strings(name))?,
        })
    }

    /// Every event has a date, so that where no instant is known, the date is.
    pub(crate) fn of(&self, row: usize) -> ScheduledStart<'a> {
        match (self.at[row], self.status[row]) {
            (Some(at), _) => ScheduledStart { value: Some(instant(at)), status: "known" },
            (None, Some("unknown")) => ScheduledStart { value: None, status: "unknown" },
            (None, _) => ScheduledStart { value: None, status: "date_only" },
        }
    }
}
