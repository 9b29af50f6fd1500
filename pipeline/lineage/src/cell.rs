//! Values of cells as text and as JSON, whatever table they stand in: a snapshot may be older than the contracts of
//! this build.

use arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, Date32Type, Float64Type, Int32Type, Int64Type, TimestampMillisecondType};
use arrow::util::display::array_value_to_string;
use serde_json::{Value, json};

/// The value as text; `None` for null.
#[must_use]
pub fn cell_text(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        DataType::Timestamp(..) => {
            let at = array.as_primitive_opt::<TimestampMillisecondType>()?.value_as_datetime(row)?;
            Some(at.and_utc().to_rfc3339())
        }
        _ => array_value_to_string(array, row).ok(),
    }
}

/// The value as JSON. Numbers that JSON cannot write, which no contract allows, are text.
#[must_use]
pub fn cell_json(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Float64 => {
            let number = array.as_primitive::<Float64Type>().value(row);
            if number.is_finite() { json!(number) } else { json!(number.to_string()) }
        }
        _ => json!(cell_text(array, row)),
    }
}

/// Days since 1970 of a column of dates or instants.
pub(crate) fn cell_day(rows: &RecordBatch, column: &str, row: usize) -> Option<i32> {
    let array = rows.column_by_name(column)?;
    match array.data_type() {
        DataType::Date32 if array.is_valid(row) => Some(array.as_primitive::<Date32Type>().value(row)),
        _ => None,
    }
}

/// A text or an id of a row; empty where the row has none.
pub(crate) fn text_of<'a>(rows: &'a RecordBatch, column: &str, row: usize) -> &'a str {
    text_if(rows, column, row).unwrap_or_default()
}

/// The same; `None` where the row has none.
pub(crate) fn text_if<'a>(rows: &'a RecordBatch, column: &str, row: usize) -> Option<&'a str> {
    let array: &ArrayRef = rows.column_by_name(column)?;
    let texts = array.as_string_opt::<i32>()?;
    texts.is_valid(row).then(|| texts.value(row))
}
