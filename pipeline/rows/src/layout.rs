//! Rows as values in the order of a contract, so that merging and comparing captures is one piece of code
//! for all tables.

use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::{ColumnValue, ContractRow};
use fdna_schemas::{ColumnError, ColumnType, Table, TableError, TableReader, TableWriter, Tables};
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
pub fn cells(row: &impl ContractRow) -> TableRow {
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

/// The order in which code gives a table's values, tied once to the contract's order.
pub struct TableLayout {
    pub table: &'static Table,
    /// Place in the contract of the n-th given value.
    places: Vec<usize>,
}

impl TableLayout {
    /// # Errors
    /// The table is unknown, or `names` does not name exactly its columns, `last_capture` aside.
    pub fn new(table: &str, names: &[&str]) -> Result<Self, TableError> {
        let table = Tables::get().table(table)?;
        let places: Vec<usize> = names.iter().filter_map(|name| table.place(name)).collect();
        let columns = || table.columns.iter().map(|c| c.name.as_str()).filter(|name| *name != LAST_CAPTURE);
        let missing: Vec<&str> = columns().filter(|name| !names.contains(name)).collect();
        let unknown: Vec<&str> = names.iter().copied().filter(|name| table.place(name).is_none()).collect();
        if !missing.is_empty() || !unknown.is_empty() || names.len() != columns().count() {
            return Err(TableError::Layout(format!(
                "{}: missing {missing:?}, unknown {unknown:?}",
                table.name
            )));
        }
        Ok(Self { table, places })
    }

    /// Of `identities`, which merging and linking write.
    pub fn identities() -> Result<Self, TableError> {
        let link = ["kind", "entity_id", "source", "source_id", "rule"];
        let seen = ["first_seen_capture", "first_seen_at", "name", "score"];
        Self::new("identities", &[&link[..], &seen].concat())
    }

    /// Of `corrections`, which merging and linking write.
    pub fn corrections() -> Result<Self, TableError> {
        let what = ["kind", "entity_id", "part", "field", "change", "old", "new"];
        let when =
            ["old_first_seen_at", "old_last_seen_at", "old_last_seen_in", "replaced_at", "replaced_by"];
        Self::new("corrections", &[&what[..], &when].concat())
    }

    /// Of `doubtful_links`, which linking and careers write.
    pub fn doubtful_links() -> Result<Self, TableError> {
        let whose = ["kind", "source", "source_id", "name", "candidate", "candidate_name"];
        let why = ["rule", "score", "reason", "first_seen_capture"];
        Self::new("doubtful_links", &[&whose[..], &why].concat())
    }

    /// A row from values in the order of the names given to [`TableLayout::new`].
    pub fn row(&self, values: impl IntoIterator<Item = CellValue>) -> TableRow {
        let mut row = vec![CellValue::Null; self.table.columns.len()];
        for (place, value) in self.places.iter().zip(values) {
            row[*place] = value;
        }
        row
    }
}

/// Column that the merging of captures fills in.
pub const LAST_CAPTURE: &str = "last_capture";

/// Rows of one table, contract order.
pub fn to_batch(table: &Table, rows: &[TableRow]) -> Result<RecordBatch, ColumnError> {
    let mut writer = TableWriter::new(table);
    for (i, column) in table.columns.iter().enumerate() {
        let cells = || rows.iter().map(move |row| &row[i]);
        let name = &column.name;
        writer = match column.kind {
            ColumnType::String => writer.strings(
                name,
                cells().map(|v| match v {
                    CellValue::Text(text) => Some(text.clone()),
                    _ => None,
                }),
            ),
            ColumnType::Uuid => writer.uuids(
                name,
                cells().map(|v| match v {
                    CellValue::Id(id) => Some(*id),
                    _ => None,
                }),
            ),
            ColumnType::Int32 => writer.int32s(
                name,
                cells().map(|v| match v {
                    CellValue::Int(n) => Some(*n),
                    _ => None,
                }),
            ),
            ColumnType::Bool => writer.bools(
                name,
                cells().map(|v| match v {
                    CellValue::Bool(b) => Some(*b),
                    _ => None,
                }),
            ),
            ColumnType::Date => writer.dates(
                name,
                cells().map(|v| match v {
                    CellValue::Date(d) => Some(*d),
                    _ => None,
                }),
            ),
            ColumnType::Instant => writer.instants(
                name,
                cells().map(|v| match v {
                    CellValue::Instant(t) => Some(*t),
                    _ => None,
                }),
            ),
            ColumnType::Int64 => writer.int64s(
                name,
                cells().map(|v| match v {
                    CellValue::Long(n) => Some(*n),
                    _ => None,
                }),
            ),
            ColumnType::Float64 => writer.floats(
                name,
                cells().map(|v| match v {
                    CellValue::Real(n) => Some(n.0),
                    _ => None,
                }),
            ),
        };
    }
    writer.finish()
}

/// The rows of a table, contract order.
pub fn from_batch(table: &Table, batch: &RecordBatch) -> Result<Vec<TableRow>, ColumnError> {
    let reader = TableReader::new(&table.name, batch);
    let mut rows = vec![Vec::with_capacity(table.columns.len()); reader.rows()];
    for column in &table.columns {
        let cells: Vec<CellValue> = match column.kind {
            ColumnType::String => values(reader.strings(&column.name)?),
            ColumnType::Uuid => values(reader.uuids(&column.name)?),
            ColumnType::Int32 => values(reader.int32s(&column.name)?),
            ColumnType::Bool => values(reader.bools(&column.name)?),
            ColumnType::Date => values(reader.dates(&column.name)?),
            ColumnType::Instant => values(reader.instants(&column.name)?),
            ColumnType::Int64 => values(reader.int64s(&column.name)?),
            ColumnType::Float64 => values(reader.floats(&column.name)?),
        };
        rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    Ok(rows)
}

fn values<T: Into<CellValue>>(cells: Vec<Option<T>>) -> Vec<CellValue> {
    cells.into_iter().map(Into::into).collect()
}

pub fn sort_by_key(table: &Table, rows: &mut [TableRow]) {
    let key = table.key_places();
    rows.sort_by(|a, b| key.iter().map(|i| &a[*i]).cmp(key.iter().map(|i| &b[*i])));
}
