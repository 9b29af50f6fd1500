//! What layouts keyed by numbers of their own have in common: ids, and bouts as a place in an event.

use crate::parse;
use crate::row::{CsvRow, RowError};

pub(crate) fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::number_id(text).map(str::to_owned))
}

/// Who met whom, and where in which event.
pub(crate) struct NumberedBout {
    pub(crate) id: String,
    pub(crate) event: String,
    pub(crate) order: i32,
    pub(crate) fighters: [String; 2],
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
