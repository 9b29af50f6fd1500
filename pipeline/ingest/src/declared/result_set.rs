//! JSON as tables: names of columns in one list, rows in another.

use serde_json::Value;

/// A table of a document.
pub(super) struct ResultSet<'v> {
    pub(super) headers: Vec<&'v str>,
    pub(super) rows: &'v [Value],
}

impl<'v> ResultSet<'v> {
    /// `None` where the value is no such table.
    pub(super) fn of(value: &'v Value) -> Option<Self> {
        let headers = value.get("headers")?.as_array()?;
        let headers = headers.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
        Some(Self { headers, rows: value.get("rowSet")?.as_array()? })
    }
}
