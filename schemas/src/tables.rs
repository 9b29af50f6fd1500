//! A reader and a row of every table, generated from its contract by `build.rs`: `BoutsReader` and `BoutsRow` of `bouts`.
//! A column that is renamed in a contract, or gets another type or may be null, is an error of the compiler.

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::columns::{ColumnError, TableReader};

/// A column of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnPlace {
    pub name: &'static str,
    /// From 0, in the contract's order.
    pub place: usize,
}

/// Reads the columns of one table, each by a method of its own.
pub trait ContractReader<'a> {
    /// Name of the table.
    const TABLE: &'static str;

    /// Of a batch of that table.
    fn of(batch: &'a RecordBatch) -> Self;
}

/// A row of a table whose contract is known when the program is compiled.
pub trait ContractRow {
    /// Name of the table.
    const TABLE: &'static str;

    /// Its values, in the contract's order.
    fn values(&self) -> Vec<ColumnValue<'_>>;
}

/// A value of any column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnValue<'a> {
    Null,
    Text(&'a str),
    Id(Uuid),
    Int32(i32),
    Int64(i64),
    Float64(f64),
    Bool(bool),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
}

macro_rules! column_values {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for ColumnValue<'_> {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )+};
}
column_values!(Uuid => Id, i32 => Int32, i64 => Int64, f64 => Float64, bool => Bool, NaiveDate => Date, DateTime<Utc> => Instant);

impl<'a> From<&'a str> for ColumnValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a, T: Into<ColumnValue<'a>>> From<Option<T>> for ColumnValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
