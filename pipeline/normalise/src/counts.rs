//! The count columns of a table of round statistics, as facts and as normalised rows have them: each table calls them
//! as [`Count`] does.

use fdna_model::{Count, RoundCounts};
use fdna_schemas::tables::RoundStatsRow;
use fdna_schemas::{ColumnError, TableReader};

/// One per row.
pub(crate) fn round_counts(reader: &TableReader<'_>) -> Result<Vec<RoundCounts>, ColumnError> {
    let control = reader.int32s(RoundStatsRow::CONTROL_SECS.name)?;
    let mut rows: Vec<RoundCounts> = control.into_iter().map(RoundCounts::with_control).collect();
    for count in Count::ALL {
        let values = reader.counts(count.name())?;
        rows.iter_mut().zip(values).for_each(|(row, value)| row[count] = value);
    }
    Ok(rows)
}
