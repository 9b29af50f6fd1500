//! The answer to a query, and how it is written.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Schema,
    SchemaRef, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use arrow::util::pretty::pretty_format_batches_with_options;
use serde_json::{Map, Value};

/// Output format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a person; a null is written `NULL`.
    #[default]
    Table,
    /// With a line of names; a null is empty.
    Csv,
    /// An array with an object for each row.
    Json,
}

/// Rows cannot be written as text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    #[error("cannot write a value")]
    Value(#[from] ArrowError),
    #[error("cannot write a line of CSV")]
    Csv(#[from] csv::Error),
    #[error("cannot write JSON")]
    Json(#[from] serde_json::Error),
}

/// Rows with their columns.
#[derive(Debug, Clone)]
pub struct Rows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Rows {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// The same with instants in UTC named by its offset, the one name of a zone that can be written without a database of
    /// zones.
    fn with_offsets(&self) -> Result<Vec<RecordBatch>, ArrowError> {
        let utc = |data_type: &DataType| match data_type {
            DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
            other => other.clone(),
        };
        let fields = self.schema.fields().iter();
        let fields: Vec<_> =
            fields.map(|field| field.as_ref().clone().with_data_type(utc(field.data_type()))).collect();
        let schema = Arc::new(Schema::new(fields));
        let convert = |batch: &RecordBatch| {
            let columns = batch.columns().iter().map(|column| cast(column, &utc(column.data_type())));
            RecordBatch::try_new(Arc::clone(&schema), columns.collect::<Result<_, _>>()?)
        };
        match self.batches.is_empty() {
            true => Ok(vec![RecordBatch::new_empty(schema)]),
            false => self.batches.iter().map(convert).collect(),
        }
    }

    /// The batches that they come in.
    #[must_use]
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The first rows, at most `most`.
    #[must_use]
    pub fn first_rows(&self, most: usize) -> Self {
        let mut left = most;
        let take = |batch: &RecordBatch| {
            let taken = batch.slice(0, left.min(batch.num_rows()));
            left -= taken.num_rows();
            taken
        };
        Self { schema: self.schema.clone(), batches: self.batches.iter().map(take).collect() }
    }

    /// All rows as text, with a newline at the end.
    ///
    /// # Errors
    /// A value cannot be written.
    pub fn to_text(&self, format: Format) -> Result<String, TextError> {
        match format {
            Format::Table => self.to_table(),
            Format::Csv => self.to_csv(),
            Format::Json => Ok(serde_json::to_string_pretty(&self.to_json()?)? + "\n"),
        }
    }

    fn to_table(&self) -> Result<String, TextError> {
        let options = FormatOptions::default().with_null("NULL");
        Ok(format!("{}\n", pretty_format_batches_with_options(&self.with_offsets()?, &options)?))
    }

    fn to_csv(&self) -> Result<String, TextError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.schema.fields().iter().map(|field| field.name()))?;
        let options = FormatOptions::default();
        for batch in self.with_offsets()? {
            let cells = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows() {
                let values = cells.iter().map(|cell| cell.value(row).try_to_string());
                writer.write_record(values.collect::<Result<Vec<_>, _>>()?)?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// An array with an object for each row. Numbers are numbers where JSON can hold them, all else is text.
    ///
    /// # Errors
    /// A value cannot be written.
    pub fn to_json(&self) -> Result<Value, TextError> {
        let mut rows = Vec::with_capacity(self.row_count());
        for batch in self.with_offsets()? {
            for row in 0..batch.num_rows() {
                let cell = |(field, column): (&arrow::datatypes::FieldRef, &ArrayRef)| {
                    Ok((field.name().clone(), cell_value(column, row)?))
                };
                let cells = self.schema.fields().iter().zip(batch.columns()).map(cell);
                rows.push(Value::Object(cells.collect::<Result<Map<_, _>, TextError>>()?));
            }
        }
        Ok(Value::Array(rows))
    }
}

fn cell_value(column: &ArrayRef, row: usize) -> Result<Value, TextError> {
    // A column of nothing else has no bits that say so.
    if column.is_null(row) || *column.data_type() == DataType::Null {
        return Ok(Value::Null);
    }
    let number = match column.data_type() {
        DataType::Boolean => return Ok(column.as_boolean().value(row).into()),
        DataType::Int8 => Some(column.as_primitive::<Int8Type>().value(row).into()),
        DataType::Int16 => Some(column.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => Some(column.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Some(column.as_primitive::<Int64Type>().value(row).into()),
        DataType::UInt8 => Some(column.as_primitive::<UInt8Type>().value(row).into()),
        DataType::UInt16 => Some(column.as_primitive::<UInt16Type>().value(row).into()),
        DataType::UInt32 => Some(column.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt64 => Some(column.as_primitive::<UInt64Type>().value(row).into()),
        DataType::Float32 => {
            serde_json::Number::from_f64(column.as_primitive::<Float32Type>().value(row).into())
        }
        DataType::Float64 => serde_json::Number::from_f64(column.as_primitive::<Float64Type>().value(row)),
        // Sums of whole numbers come as these.
        DataType::Decimal128(_, 0) => {
            i64::try_from(column.as_primitive::<Decimal128Type>().value(row)).ok().map(Into::into)
        }
        _ => None,
    };
    if let Some(number) = number {
        return Ok(Value::Number(number));
    }
    let text = ArrayFormatter::try_new(column, &FormatOptions::default())?.value(row).try_to_string()?;
    Ok(Value::String(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Decimal128Array, Float64Array, StringArray, TimestampMicrosecondArray};

    fn rows() -> Rows {
        let columns: [(&str, ArrayRef); 3] = [
            ("name", Arc::new(StringArray::from(vec![Some("O'Neil, \"Kid\""), None]))),
            ("rate", Arc::new(Float64Array::from(vec![Some(0.5), Some(f64::NAN)]))),
            (
                "total",
                Arc::new(
                    Decimal128Array::from(vec![Some(12), None]).with_precision_and_scale(38, 0).unwrap(),
                ),
            ),
        ];
        let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(n, c)| (n, c, true))).unwrap();
        Rows::new(batch.schema(), vec![batch])
    }

    #[test]
    fn a_null_is_told_from_a_number_and_from_a_text() {
        assert_eq!(
            rows().to_text(Format::Csv).unwrap(),
            "name,rate,total\n\"O'Neil, \"\"Kid\"\"\",0.5,12\n,NaN,\n"
        );
        let json = serde_json::json!([
            {"name": "O'Neil, \"Kid\"", "rate": 0.5, "total": 12},
            {"name": null, "rate": "NaN", "total": null},
        ]);
        assert_eq!(rows().to_json().unwrap(), json);
        assert!(rows().to_text(Format::Table).unwrap().contains("| NULL"));
    }

    #[test]
    fn instants_are_written_in_utc() {
        let start =
            TimestampMicrosecondArray::from(vec![Some(1_746_324_000_000_000), None]).with_timezone("UTC");
        let batch = RecordBatch::try_from_iter([("start_at", Arc::new(start) as ArrayRef)]).unwrap();
        let rows = Rows::new(batch.schema(), vec![batch]);
        assert_eq!(rows.to_text(Format::Csv).unwrap(), "start_at\n2025-05-04T02:00:00Z\n\"\"\n");
        assert_eq!(rows.to_json().unwrap()[0]["start_at"], "2025-05-04T02:00:00Z");
    }

    #[test]
    fn no_rows_still_have_names() {
        let none = Rows { batches: Vec::new(), ..rows() };
        assert_eq!(none.to_text(Format::Csv).unwrap(), "name,rate,total\n");
        assert_eq!(none.to_json().unwrap(), serde_json::json!([]));
        assert!(none.to_text(Format::Table).unwrap().contains("name"));
        assert_eq!(
            (rows().row_count(), rows().first_rows(1).row_count(), none.first_rows(1).row_count()),
            (2, 1, 0)
        );
    }
}
