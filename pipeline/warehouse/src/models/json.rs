//! Lists and structs as JSON text: the engine is built without its JSON extension.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray as _, StringArray};
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int32Type, Int64Type};
use arrow::util::display::array_value_to_string;
use serde_json::{Map, Value};

/// Each row as JSON; null stays null.
pub(super) fn to_json_texts(array: &ArrayRef) -> ArrayRef {
    let rows = (0..array.len()).map(|row| array.is_valid(row).then(|| to_json_value(array, row).to_string()));
    Arc::new(rows.collect::<StringArray>())
}

/// A value as JSON.
pub(super) fn to_json_value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        // A number that is none is not known.
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Decimal128(_, scale) => {
            let text = array.as_primitive::<Decimal128Type>().value_as_string(row);
            if *scale > 0 {
                text.parse::<f64>().map_or(Value::Null, Value::from)
            } else {
                text.parse::<i64>().map_or(Value::Null, Value::from)
            }
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|item| to_json_value(&items, item)).collect()
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let fields = columns.map(|(field, column)| (field.name().clone(), to_json_value(column, row)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        _ => array_value_to_string(array, row).map_or(Value::Null, Value::from),
    }
}
