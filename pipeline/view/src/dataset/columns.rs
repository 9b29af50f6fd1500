//! Columns that stay Arrow.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use chrono::{DateTime, SecondsFormat, Utc};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::ColumnPlace;

use super::DatasetError;

/// A column as it is stored. Its values share memory with the batch.
pub(crate) fn column<T: Array + Clone + 'static>(
    batch: &RecordBatch,
    table: &str,
    name: &str,
) -> Result<T, DatasetError> {
    let array = batch
        .column_by_name(name)
        .ok_or_else(|| ColumnError::Missing { table: table.to_owned(), column: name.to_owned() })?;
    let typed = array.as_any().downcast_ref::<T>().ok_or_else(|| ColumnError::Type {
        table: table.to_owned(),
        column: name.to_owned(),
        asked: "the contract's type",
        is: array.data_type().to_string(),
    })?;
    Ok(typed.clone())
}

/// A table with a column that snapshots published before it existed do not have; `absent` stands in for it there.
pub(crate) fn with_later<T: Array + 'static>(
    batch: &RecordBatch,
    column: ColumnPlace,
    absent: impl FnOnce(usize) -> T,
) -> Result<RecordBatch, DatasetError> {
    if batch.column_by_name(column.name).is_some() {
        return Ok(batch.clone());
    }
    let schema = batch.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let known = names.zip(batch.columns().iter().map(Arc::clone));
    let absent: ArrayRef = Arc::new(absent(batch.num_rows()));
    RecordBatch::try_from_iter(known.chain([(column.name, absent)]))
        .map_err(|source| DatasetError::Table(Box::new(source)))
}

/// RFC 3339 with offset.
pub fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

/// Texts as they are, however they came.
pub(crate) fn without_codes(batch: &RecordBatch) -> Result<RecordBatch, DatasetError> {
    let schema = batch.schema();
    let plain = schema.fields().iter().zip(batch.columns()).map(|(field, array)| match array.data_type() {
        DataType::Dictionary(_, _) => Ok((field.name(), cast(array, &DataType::Utf8)?)),
        _ => Ok((field.name(), Arc::clone(array))),
    });
    let plain = plain.collect::<Result<Vec<_>, ArrowError>>();
    plain.and_then(RecordBatch::try_from_iter).map_err(|source| DatasetError::Table(Box::new(source)))
}
