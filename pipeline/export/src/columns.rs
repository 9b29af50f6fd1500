//! Columns of a table as its file states them, so that tables of any version of a contract can be exported.

use arrow::datatypes::{DataType, Field, Schema};
use fdna_schemas::ColumnType;
use serde::{Deserialize, Serialize};

/// A column of an exported table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedColumn {
    /// Name.
    pub name: String,
    /// Logical type; ids and JSON are strings here, as they are in the file.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Whether it has nulls.
    pub nullable: bool,
    /// What it says.
    pub meaning: Option<String>,
    /// Unit, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

impl ExportedColumn {
    fn from_field(field: &Field) -> Option<Self> {
        Some(Self {
            name: field.name().clone(),
            kind: kind_of(field.data_type())?,
            nullable: field.is_nullable(),
            meaning: field.metadata().get("meaning").cloned(),
            unit: field.metadata().get("unit").cloned(),
        })
    }

    /// The columns of a file.
    ///
    /// # Errors
    /// The name of the first column with a type that no contract has.
    pub fn all_of(schema: &Schema) -> Result<Vec<Self>, String> {
        let columns = schema.fields().iter();
        columns.map(|field| Self::from_field(field).ok_or_else(|| field.name().clone())).collect()
    }
}

/// The contracts' type of a type of Arrow.
fn kind_of(found: &DataType) -> Option<ColumnType> {
    use ColumnType::{Bool, Date, Float64, Instant, Int32, Int64, String};
    [String, Int32, Int64, Float64, Bool, Date, Instant].into_iter().find(|kind| kind.to_arrow() == *found)
}
