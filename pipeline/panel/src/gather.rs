//! Arrow columns that panels are gathered from.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, Date32Array, DictionaryArray, Int32Array, RecordBatch};
use arrow::compute::{cast, take};
use arrow::datatypes::{DataType, Date32Type, Int32Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_schemas::tables::{ContractRow as _, DnaVersionsRow};
use fdna_schemas::{ColumnError, Table};

use crate::PanelError;

/// Texts of any column: a place in the values that all panels share.
pub(crate) fn text_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// A column of the versions, texts as a dictionary.
pub(crate) fn version_column(versions: &RecordBatch, name: &str) -> Result<ArrayRef, PanelError> {
    let missing =
        || ColumnError::Missing { table: DnaVersionsRow::TABLE.to_owned(), column: name.to_owned() };
    Ok(to_dictionary(versions.column_by_name(name).ok_or_else(missing)?)?)
}

/// The array itself, or for texts a dictionary of them.
pub(crate) fn to_dictionary(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Utf8 => cast(array, &text_type()),
        _ => Ok(array.clone()),
    }
}

/// The schema of the contract, texts as dictionaries.
pub(crate) fn schema_of(table: &Table) -> SchemaRef {
    let schema = table.arrow_schema();
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(text_type())),
        _ => field.clone(),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

pub(crate) fn take_rows(array: &ArrayRef, rows: &Int32Array) -> Result<ArrayRef, ArrowError> {
    take(array, rows, None)
}

/// The same date in every row.
pub(crate) fn repeat_date(day: NaiveDate, rows: usize) -> ArrayRef {
    Arc::new(Date32Array::from_value(Date32Type::from_naive_date(day), rows))
}

/// Texts by their places in the values of another dictionary.
pub(crate) fn dictionary_texts(places: Vec<i32>, values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(places.into(), values.clone())?))
}
