//! Typed rows as a table, each written as it comes.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Date32Builder, Float64Builder, Int32Builder, Int64Builder, RecordBatch,
    StringBuilder, TimestampMillisecondBuilder,
};
use arrow::datatypes::Date32Type;
use uuid::Uuid;

use crate::columns::ColumnError;
use crate::table::{ColumnType, Table};
use crate::tables::{ColumnValue, ContractRow};

/// Builds a table row by row.
pub struct RowBuilder {
    table: &'static Table,
    columns: Vec<ColumnCells>,
}

impl RowBuilder {
    #[must_use]
    pub fn new(table: &'static Table) -> Self {
        let columns = table.columns.iter().map(|column| ColumnCells::new(column.kind)).collect();
        Self { table, columns }
    }

    /// Adds a row of the table.
    pub fn push<R: ContractRow>(&mut self, row: &R) {
        debug_assert_eq!(R::TABLE, self.table.name, "the row is of this table");
        self.push_values(row.values());
    }

    /// Adds a row of these values, in the contract's order.
    pub fn push_values<'v>(&mut self, values: impl IntoIterator<Item = ColumnValue<'v>>) {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }

    /// # Errors
    /// A value is null where the contract forbids it.
    pub fn finish(self) -> Result<RecordBatch, ColumnError> {
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
    Text(StringBuilder): Text(text) => text, Id(id) => &*id.hyphenated().encode_lower(&mut Uuid::encode_buffer());
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
            ColumnType::String | ColumnType::Uuid | ColumnType::Json => Self::Text(StringBuilder::new()),
            ColumnType::Int32 => Self::Int32(Int32Builder::new()),
            ColumnType::Int64 => Self::Int64(Int64Builder::new()),
            ColumnType::Float64 => Self::Float64(Float64Builder::new()),
            ColumnType::Bool => Self::Bool(BooleanBuilder::new()),
            ColumnType::Date => Self::Date(Date32Builder::new()),
            ColumnType::Instant => {
                Self::Instant(TimestampMillisecondBuilder::new().with_data_type(kind.to_arrow()))
            }
        }
    }
}
