//! The statistics source's mark for a bout without statistics.

use fdna_model::FindingKind;
use fdna_schemas::Table;
use fdna_schemas::tables::{ContractRow as _, StatsdbRoundStatsRow};

use crate::row::{CsvRow, RowError};

/// Notes a row of round statistics that has event and bout, and nothing else.
pub(crate) fn check_statistics(table: &Table, row: &CsvRow<'_>) -> Result<(), RowError> {
    let states_nothing = table.name == StatsdbRoundStatsRow::TABLE
        && row.optional("BOUT").is_some()
        && row.is_empty_but(&["EVENT", "BOUT"]);
    if states_nothing {
        let reason = "the source has no statistics of this bout";
        return Err(RowError::note(FindingKind::NoStatistics, reason));
    }
    Ok(())
}
