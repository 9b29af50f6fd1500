//! Values as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::DatasetError;

/// A value as JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<Box<[u8]>, serde_json::Error> {
    serde_json::to_vec(value).map(Vec::into_boxed_slice)
}

/// A value that a column holds as JSON.
pub(crate) fn json_text<T: DeserializeOwned>(
    text: &str,
    table: &'static str,
    column: &'static str,
) -> Result<T, DatasetError> {
    serde_json::from_str(text).map_err(|source| DatasetError::Text { table, column, source })
}
