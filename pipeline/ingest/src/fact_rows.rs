//! Rows of a facts table, each written as it is read.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Date32Builder, Float64Builder, Int32Builder, Int64Builder, RecordBatch,
    StringBuilder, TimestampMillisecondBuilder,
};
use arrow::datatypes::Date32Type;
use fdna_schemas::tables::{ColumnValue, ContractRow};
use fdna_schemas::{ColumnError, ColumnType, Table};

/// Where a row stands in its capture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowPlace<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: i32,
    /// Of the row as received.
    pub(crate) digest: &'a str,
}

/// A table that takes one row after the other.
pub(crate) struct FactRows {
    table: &'static Table,
    columns: Vec<ColumnCells>,
}

impl FactRows {
    pub(crate) fn new(table: &'static Table) -> Self {
        let columns = table.columns.iter().map(|column| ColumnCells::new(column.kind)).collect();
        Self { table, columns }
    }

    /// The table of these rows, each of which `write` pushes.
    pub(crate) fn table<'r, T: 'r>(
        table: &'static Table,
        rows: impl IntoIterator<Item = (RowPlace<'r>, &'r T)>,
        write: impl Fn(&mut Self, RowPlace<'_>, &T),
    ) -> Result<RecordBatch, ColumnError> {
        let mut all = Self::new(table);
        rows.into_iter().for_each(|(at, row)| write(&mut all, at, row));
        all.finish()
    }

    pub(crate) fn push<R: ContractRow>(&mut self, row: &R) {
        debug_assert_eq!(R::TABLE, self.table.name, "the row is of this table");
        self.columns.iter_mut().zip(row.values()).for_each(|(column, value)| column.push(value));
    }

    pub(crate) fn finish(self) -> Result<RecordBatch, ColumnError> {
        let columns = self.columns.into_iter().map(ColumnCells::finish).collect();
        RecordBatch::try_new(self.table.arrow_schema(), columns)
            .map_err(|source| ColumnError::Build { table: self.table.name.clone(), source })
    }
}

macro_rules! column_cells {
    ($($kind:ident($builder:ty): $($value:ident($cell:ident) => $native:expr),+;)+) => {
        /// The cells of a column so far.
        enum ColumnCells { $($kind($builder)),+ }

        impl ColumnCells {
            fn push(&mut self, value: ColumnValue<'_>) {
                match (self, value) {
                    $($((Self::$kind(cells), ColumnValue::$value($cell)) => cells.append_value($native),)+)+
                    $((Self::$kind(cells), _) => cells.append_null(),)+
                }
            }

            fn finish(self) -> ArrayRef {
                match self {
                    $(Self::$kind(mut cells) => Arc::new(cells.finish()),)+
                }
            }
        }
    };
}
column_cells! {
    Text(StringBuilder): Text(text) => text, Id(id) => id.to_string();
    Int32(Int32Builder): Int32(n) => n;
    Int64(Int64Builder): Int64(n) => n;
    Float64(Float64Builder): Float64(n) => n;
    Bool(BooleanBuilder): Bool(is) => is;
    Date(Date32Builder): Date(day) => Date32Type::from_naive_date(day);
    Instant(TimestampMillisecondBuilder): Instant(at) => at.timestamp_millis();
}

impl ColumnCells {
    fn new(kind: ColumnType) -> Self {
        match kind {
            ColumnType::String | ColumnType::Uuid => Self::Text(StringBuilder::new()),
            ColumnType::Int32 => Self::Int32(Int32Builder::new()),
            ColumnType::Int64 => Self::Int64(Int64Builder::new()),
            ColumnType::Float64 => Self::Float64(Float64Builder::new()),
            ColumnType::Bool => Self::Bool(BooleanBuilder::new()),
            ColumnType::Date => Self::Date(Date32Builder::new()),
            ColumnType::Instant => {
                Self::Instant(TimestampMillisecondBuilder::new().with_data_type(kind.arrow()))
            }
        }
    }
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
