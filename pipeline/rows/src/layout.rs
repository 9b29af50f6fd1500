//! Rows as values in the order of a contract, so that merging and comparing captures is one piece of code
//! for all tables.

use std::borrow::Borrow;
use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::{BoutsRow, ColumnValue, ContractRow};
use fdna_schemas::{ColumnError, ColumnType, RowBuilder, Table, TableReader};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CellValue {
    Null,
    Text(#[serde(with = "shared_text")] Arc<str>),
    Int(i32),
    Long(i64),
    Real(Real),
    Bool(bool),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Id(#[serde(with = "id_bytes")] Uuid),
}

/// A number with a total order, so that rows can be compared.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Real(pub f64);

impl Ord for Real {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl From<f64> for CellValue {
    fn from(number: f64) -> Self {
        Self::Real(Real(number))
    }
}

impl CellValue {
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Text(text.as_ref().into())
    }

    /// As `corrections` writes it; `None` for null.
    pub fn display(&self) -> Option<String> {
        Some(match self {
            Self::Null => return None,
            Self::Text(text) => text.to_string(),
            Self::Int(n) => n.to_string(),
            Self::Long(n) => n.to_string(),
            Self::Real(n) => n.0.to_string(),
            Self::Bool(b) => b.to_string(),
            Self::Date(d) => d.to_string(),
            Self::Instant(t) => t.to_rfc3339(),
            Self::Id(id) => id.to_string(),
        })
    }

    /// The id, if it is one; so for the others below.
    #[must_use]
    pub fn as_id(&self) -> Option<Uuid> {
        if let Self::Id(id) = self { Some(*id) } else { None }
    }

    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    #[must_use]
    pub fn as_int(&self) -> Option<i32> {
        if let Self::Int(n) = self { Some(*n) } else { None }
    }

    #[must_use]
    pub fn as_date(&self) -> Option<NaiveDate> {
        if let Self::Date(day) = self { Some(*day) } else { None }
    }
}

mod shared_text {
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        <&str>::deserialize(from).map(Arc::from)
    }
}

mod id_bytes {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use uuid::Uuid;

    pub(super) fn serialize<S: Serializer>(id: &Uuid, to: S) -> Result<S::Ok, S::Error> {
        id.as_bytes().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Uuid, D::Error> {
        <[u8; 16]>::deserialize(from).map(Uuid::from_bytes)
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for CellValue {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )+};
}
from!(i32 => Int, i64 => Long, bool => Bool, NaiveDate => Date, DateTime<Utc> => Instant, Uuid => Id, Arc<str> => Text);

impl From<&str> for CellValue {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl<T: Into<CellValue>> From<Option<T>> for CellValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row: one value per column of the contract.
pub type TableRow = Vec<CellValue>;

/// The cells of a row whose table is known when the program is compiled.
pub fn row_cells(row: &impl ContractRow) -> TableRow {
    row.values().into_iter().map(CellValue::from).collect()
}

impl From<ColumnValue<'_>> for CellValue {
    fn from(value: ColumnValue<'_>) -> Self {
        match value {
            ColumnValue::Null => Self::Null,
            ColumnValue::Text(text) => Self::text(text),
            ColumnValue::Id(id) => Self::Id(id),
            ColumnValue::Int32(n) => Self::Int(n),
            ColumnValue::Int64(n) => Self::Long(n),
            ColumnValue::Float64(n) => n.into(),
            ColumnValue::Bool(b) => Self::Bool(b),
            ColumnValue::Date(day) => Self::Date(day),
            ColumnValue::Instant(at) => Self::Instant(at),
        }
    }
}

/// Column that the merging of captures fills in.
pub const LAST_CAPTURE: &str = BoutsRow::LAST_CAPTURE.name;

/// Rows of one table, contract order.
///
/// # Errors
/// A cell is null where the contract forbids it.
pub fn to_batch(
    table: &'static Table,
    rows: impl IntoIterator<Item = impl Borrow<TableRow>>,
) -> Result<RecordBatch, ColumnError> {
    let mut builder = RowBuilder::new(table);
    rows.into_iter().for_each(|row| builder.push_values(row.borrow().iter().map(ColumnValue::from)));
    builder.finish()
}

impl<'a> From<&'a CellValue> for ColumnValue<'a> {
    fn from(cell: &'a CellValue) -> Self {
        match cell {
            CellValue::Null => Self::Null,
            CellValue::Text(text) => Self::Text(text),
            CellValue::Int(n) => Self::Int32(*n),
            CellValue::Long(n) => Self::Int64(*n),
            CellValue::Real(n) => Self::Float64(n.0),
            CellValue::Bool(b) => Self::Bool(*b),
            CellValue::Date(day) => Self::Date(*day),
            CellValue::Instant(at) => Self::Instant(*at),
            CellValue::Id(id) => Self::Id(*id),
        }
    }
}

/// The rows of a table, contract order.
pub fn from_batch(table: &Table, batch: &RecordBatch) -> Result<Vec<TableRow>, ColumnError> {
    let reader = TableReader::new(&table.name, batch);
    let mut rows = vec![Vec::with_capacity(table.columns.len()); reader.rows()];
    for column in &table.columns {
        let cells: Vec<CellValue> = match column.kind {
            ColumnType::String | ColumnType::Json => column_values(reader.strings(&column.name)?),
            ColumnType::Uuid => column_values(reader.uuids(&column.name)?),
            ColumnType::Int32 => column_values(reader.int32s(&column.name)?),
            ColumnType::Bool => column_values(reader.bools(&column.name)?),
            ColumnType::Date => column_values(reader.dates(&column.name)?),
            ColumnType::Instant => column_values(reader.instants(&column.name)?),
            ColumnType::Int64 => column_values(reader.int64s(&column.name)?),
            ColumnType::Float64 => column_values(reader.floats(&column.name)?),
        };
        rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    Ok(rows)
}

fn column_values<T: Into<CellValue>>(cells: Vec<Option<T>>) -> Vec<CellValue> {
    cells.into_iter().map(Into::into).collect()
}

pub fn sort_by_key(table: &Table, rows: &mut [TableRow]) {
    let key = table.key_places();
    rows.sort_by(|a, b| key.iter().map(|i| &a[*i]).cmp(key.iter().map(|i| &b[*i])));
}
