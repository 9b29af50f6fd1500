//! Rows of a facts table, each written as it is read.

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, RowBuilder, Table};

/// Where a row stands in its capture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowPlace<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: i32,
    /// Of the row as received.
    pub(crate) digest: &'a str,
}

/// The table of these rows, each of which `write` pushes.
pub(crate) fn facts_table<'r, T: 'r>(
    table: &'static Table,
    rows: impl IntoIterator<Item = (RowPlace<'r>, &'r T)>,
    write: impl Fn(&mut RowBuilder, RowPlace<'_>, &T),
) -> Result<RecordBatch, ColumnError> {
    let mut all = RowBuilder::new(table);
    rows.into_iter().for_each(|(at, row)| write(&mut all, at, row));
    all.finish()
}

/// A row of a table of rounds: its own columns, and what is counted.
macro_rules! round_row {
    ($row:ident { $($column:ident: $value:expr,)+ }, $counts:expr) => {
        $row {
            $($column: $value,)+
            knockdowns: $counts[Count::Knockdowns],
            sig_landed: $counts[Count::SigLanded],
            sig_attempted: $counts[Count::SigAttempted],
            total_landed: $counts[Count::TotalLanded],
            total_attempted: $counts[Count::TotalAttempted],
            td_landed: $counts[Count::TdLanded],
            td_attempted: $counts[Count::TdAttempted],
            sub_attempts: $counts[Count::SubAttempts],
            reversals: $counts[Count::Reversals],
            control_secs: $counts.control_secs,
            head_landed: $counts[Count::HeadLanded],
            head_attempted: $counts[Count::HeadAttempted],
            body_landed: $counts[Count::BodyLanded],
            body_attempted: $counts[Count::BodyAttempted],
            leg_landed: $counts[Count::LegLanded],
            leg_attempted: $counts[Count::LegAttempted],
            distance_landed: $counts[Count::DistanceLanded],
            distance_attempted: $counts[Count::DistanceAttempted],
            clinch_landed: $counts[Count::ClinchLanded],
            clinch_attempted: $counts[Count::ClinchAttempted],
            ground_landed: $counts[Count::GroundLanded],
            ground_attempted: $counts[Count::GroundAttempted],
        }
    };
}
pub(crate) use round_row;
