//! Table contracts: grain, key, columns with type, unit, nullability and meaning, and their history.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use serde::{Deserialize, Serialize};

/// Contract of a table; one TOML file in `schemas/tables`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// That of its file, where it says none.
    #[serde(default)]
    pub name: String,
    /// The stage that writes it: `facts`, `normalised` or `derived`, or `panel`, or `backfill` for what no output of a
    /// stage depends on; `catalog/<sport>` for a table of the multi-sport catalog.
    #[serde(default)]
    pub stage: String,
    /// Version of this contract; a change of columns or meaning makes a new one.
    #[serde(default = "first_version")]
    pub version: u32,
    pub grain: String,
    /// Columns that identify a row and by which rows are sorted.
    pub key: Vec<String>,
    pub meaning: String,
    #[serde(default)]
    pub history: Vec<Change>,
    /// Prefixes of columns that stand together: answers write `home_abbr` and `home_score` as an object `home`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<String>,
    #[serde(rename(deserialize = "column"), alias = "columns")]
    pub columns: Vec<Column>,
}

fn first_version() -> u32 {
    1
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub version: u32,
    pub note: String,
}

/// One column of a table.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ColumnType,
    pub unit: Option<String>,
    pub meaning: String,
    /// Meaning of a null. A column without it is never null.
    pub null_means: Option<String>,
    /// Whether a null states something (no winner) instead of not knowing it: then a newer null replaces
    /// an older value.
    #[serde(default)]
    pub null_is_value: bool,
    /// Whether the column says how we tied the row and not what the source says: a change of it is no
    /// correction.
    #[serde(default)]
    pub is_bookkeeping: bool,
}

impl Column {
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        self.null_means.is_some()
    }

    /// The Arrow field, with meaning and unit as metadata.
    #[must_use]
    pub fn arrow_field(&self) -> Field {
        let mut notes = std::collections::HashMap::new();
        notes.insert("meaning".to_owned(), self.meaning.clone());
        if let Some(unit) = &self.unit {
            notes.insert("unit".to_owned(), unit.clone());
        }
        Field::new(&self.name, self.kind.to_arrow(), self.is_nullable()).with_metadata(notes)
    }
}

/// Logical types; `uuid` is written as its 36 characters, so that any tool reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    String,
    Uuid,
    Int32,
    Int64,
    Float64,
    Bool,
    Date,
    Instant,
    /// Text that is JSON: a list or an object that is no table of its own.
    Json,
}

impl ColumnType {
    #[must_use]
    pub fn to_arrow(self) -> DataType {
        match self {
            Self::String | Self::Uuid | Self::Json => DataType::Utf8,
            Self::Int32 => DataType::Int32,
            Self::Int64 => DataType::Int64,
            Self::Float64 => DataType::Float64,
            Self::Bool => DataType::Boolean,
            Self::Date => DataType::Date32,
            Self::Instant => DataType::Timestamp(TimeUnit::Millisecond, Some("+00:00".into())),
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Uuid => "uuid",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Float64 => "float64",
            Self::Bool => "bool",
            Self::Date => "date",
            Self::Instant => "instant",
            Self::Json => "json",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("cannot read the contract of table `{table}`")]
    Parse {
        table: String,
        #[source]
        source: Box<toml::de::Error>,
    },
    #[error("no contract for table `{0}`")]
    Unknown(String),
}

impl Table {
    /// The Arrow schema, with grain, contract version and column meanings as metadata, so that a file
    /// that travels alone still says what it is.
    #[must_use]
    pub fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns.iter().map(Column::arrow_field).collect::<Vec<_>>()))
    }

    /// Place of a column, by name.
    #[must_use]
    pub fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == column)
    }

    /// Places of the key's columns, in the key's order.
    #[must_use]
    pub fn key_places(&self) -> Vec<usize> {
        self.key.iter().filter_map(|column| self.place(column)).collect()
    }

    /// # Errors
    /// The TOML does not follow the contract format.
    pub fn parse(name: &str, text: &str) -> Result<Self, TableError> {
        toml::from_str(text)
            .map_err(|source| TableError::Parse { table: name.to_owned(), source: Box::new(source) })
    }
}
