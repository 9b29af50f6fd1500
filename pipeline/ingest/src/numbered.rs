//! What layouts keyed by numbers of their own have in common: ids, and bouts as a place in an event.

use fdna_schemas::TableWriter;

use crate::layout::{AcceptedRow, each};
use crate::parse;
use crate::row::{CsvRow, RowError};

pub(crate) fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::number_id(text).map(str::to_owned))
}

/// Who met whom, and where in which event.
pub(crate) struct NumberedBout {
    id: String,
    event: String,
    order: i32,
    fighters: [String; 2],
}

impl NumberedBout {
    /// The bout of this id.
    pub(crate) fn read(row: &CsvRow<'_>, bout: String) -> Result<Self, RowError> {
        Ok(Self {
            id: bout,
            event: id(row, "event_id")?,
            order: row.read("bout_order", parse::whole)?,
            fighters: [id(row, "fighter_1_id")?, id(row, "fighter_2_id")?],
        })
    }
}

/// A writer of bouts that already has their ids and orders.
pub(crate) fn write_bouts<'t, T>(
    writer: TableWriter<'t>,
    rows: &[AcceptedRow<T>],
    bout: impl Fn(&T) -> &NumberedBout,
) -> TableWriter<'t> {
    writer
        .texts("bout_source_id", each(rows, |row| bout(row).id.clone()))
        .texts("event_source_id", each(rows, |row| bout(row).event.clone()))
        .int32s("bout_order", each(rows, |row| Some(bout(row).order)))
        .texts("first_source_id", each(rows, |row| bout(row).fighters[0].clone()))
        .texts("second_source_id", each(rows, |row| bout(row).fighters[1].clone()))
}
