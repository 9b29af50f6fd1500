//! Panels of what was known on their date: those of a snapshot of that time, with the instant until which it knows anything.

use std::sync::Arc;

use arrow::array::{RecordBatch, TimestampMillisecondArray};
use chrono::{DateTime, Utc};
use fdna_schemas::Tables;

use crate::PanelError;
use crate::gather::schema_of;

/// Rows of a panel as those of `table`, whose contract has `known_until` behind the date.
///
/// # Errors
/// The contract differs from the panel's in more than that.
pub fn add_known_until(
    panel: &RecordBatch,
    table: &str,
    instant: DateTime<Utc>,
) -> Result<RecordBatch, PanelError> {
    let mut columns = panel.columns().to_vec();
    let instants = TimestampMillisecondArray::from_value(instant.timestamp_millis(), panel.num_rows());
    columns.insert(1, Arc::new(instants.with_timezone("+00:00")));
    Ok(RecordBatch::try_new(schema_of(Tables::get().table(table)?), columns)?)
}
