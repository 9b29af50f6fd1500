//! Between rows and Arrow: writes and reads record batches by column name, against the contract.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray, TimestampMillisecondArray,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{Date32Type, Float64Type, Int32Type, Int64Type, Schema, TimestampMillisecondType};
use arrow::error::ArrowError;
use chrono::{DateTime, Days, NaiveDate, Utc};
use uuid::Uuid;

use crate::table::{ColumnType, Table};

#[derive(Debug, thiserror::Error)]
pub enum ColumnError {
    #[error("no column `{column}` in table `{table}`")]
    Missing { table: String, column: String },
    #[error("column `{table}.{column}` is {is}, not {asked}")]
    Type { table: String, column: String, asked: &'static str, is: String },
    #[error("cannot build table `{table}`")]
    Build {
        table: String,
        #[source]
        source: ArrowError,
    },
    #[error("`{table}.{column}` is null in row {row}, which its contract forbids")]
    Null { table: String, column: String, row: usize },
    #[error("`{text}` in `{table}.{column}`, row {row}, is no id")]
    Id { table: String, column: String, row: usize, text: String },
}

const EPOCH: NaiveDate = NaiveDate::from_ymd_opt(1970, 1, 1).expect("a date");

fn to_epoch_days(date: NaiveDate) -> i32 {
    i32::try_from((date - EPOCH).num_days()).expect("a NaiveDate is within 32-bit days")
}

fn from_epoch_days(days: i32) -> NaiveDate {
    let magnitude = Days::new(u64::from(days.unsigned_abs()));
    let moved = if days < 0 { EPOCH.checked_sub_days(magnitude) } else { EPOCH.checked_add_days(magnitude) };
    moved.unwrap_or(NaiveDate::MAX)
}

/// Builds one record batch, column by column, in any order; `finish` puts them in the contract's.
pub struct TableWriter<'a> {
    table: &'a Table,
    columns: Vec<Option<ArrayRef>>,
    error: Option<ColumnError>,
}

impl<'a> TableWriter<'a> {
    #[must_use]
    pub fn new(table: &'a Table) -> Self {
        Self { table, columns: vec![None; table.columns.len()], error: None }
    }

    fn put_column(mut self, name: &str, allowed: &[ColumnType], array: ArrayRef) -> Self {
        match self.table.place(name) {
            Some(i) if allowed.contains(&self.table.columns[i].kind) => self.columns[i] = Some(array),
            Some(i) => {
                self.error.get_or_insert(ColumnError::Type {
                    table: self.table.name.clone(),
                    column: name.to_owned(),
                    asked: allowed[0].name(),
                    is: self.table.columns[i].kind.name().to_owned(),
                });
            }
            None => {
                self.error.get_or_insert(ColumnError::Missing {
                    table: self.table.name.clone(),
                    column: name.to_owned(),
                });
            }
        }
        self
    }

    #[must_use]
    pub fn strings<S: AsRef<str>>(self, name: &str, values: impl IntoIterator<Item = Option<S>>) -> Self {
        let array: StringArray = values.into_iter().collect();
        self.put_column(name, &[ColumnType::String], Arc::new(array))
    }

    /// A string column without nulls.
    #[must_use]
    pub fn texts<S: AsRef<str>>(self, name: &str, values: impl IntoIterator<Item = S>) -> Self {
        self.strings(name, values.into_iter().map(Some))
    }

    #[must_use]
    pub fn uuids(self, name: &str, values: impl IntoIterator<Item = Option<Uuid>>) -> Self {
        let mut buffer = Uuid::encode_buffer();
        let mut builder = arrow::array::StringBuilder::new();
        for value in values {
            builder.append_option(value.map(|id| &*id.hyphenated().encode_lower(&mut buffer)));
        }
        self.put_column(name, &[ColumnType::Uuid], Arc::new(builder.finish()))
    }

    #[must_use]
    pub fn int32s(self, name: &str, values: impl IntoIterator<Item = Option<i32>>) -> Self {
        let array: Int32Array = values.into_iter().collect();
        self.put_column(name, &[ColumnType::Int32], Arc::new(array))
    }

    #[must_use]
    pub fn int64s(self, name: &str, values: impl IntoIterator<Item = Option<i64>>) -> Self {
        let array: Int64Array = values.into_iter().collect();
        self.put_column(name, &[ColumnType::Int64], Arc::new(array))
    }

    #[must_use]
    pub fn floats(self, name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let array: Float64Array = values.into_iter().collect();
        self.put_column(name, &[ColumnType::Float64], Arc::new(array))
    }

    #[must_use]
    pub fn bools(self, name: &str, values: impl IntoIterator<Item = Option<bool>>) -> Self {
        let array: BooleanArray = values.into_iter().collect();
        self.put_column(name, &[ColumnType::Bool], Arc::new(array))
    }

    #[must_use]
    pub fn dates(self, name: &str, values: impl IntoIterator<Item = Option<NaiveDate>>) -> Self {
        let array: Date32Array = values.into_iter().map(|d| d.map(to_epoch_days)).collect();
        self.put_column(name, &[ColumnType::Date], Arc::new(array))
    }

    #[must_use]
    pub fn instants(self, name: &str, values: impl IntoIterator<Item = Option<DateTime<Utc>>>) -> Self {
        let millis = values.into_iter().map(|t| t.map(|t| t.timestamp_millis()));
        let array = millis.collect::<TimestampMillisecondArray>().with_timezone("+00:00");
        self.put_column(name, &[ColumnType::Instant], Arc::new(array))
    }

    /// An empty writer of the same table, to make some of its columns elsewhere.
    #[must_use]
    pub fn new_of_table(&self) -> Self {
        Self::new(self.table)
    }

    /// With the columns that `other`, a writer of the same table, has.
    #[must_use]
    pub fn merge_with(mut self, other: Self) -> Self {
        for (place, column) in other.columns.into_iter().enumerate().filter(|(_, column)| column.is_some()) {
            self.columns[place] = column;
        }
        self.error = self.error.or(other.error);
        self
    }

    /// The columns that it has, as rows of those columns alone.
    ///
    /// # Errors
    /// One is of another type or length than the contract says, or null where it must not be.
    pub fn finish_some(self) -> Result<RecordBatch, ColumnError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let given = self.table.columns.iter().zip(self.columns);
        let given = given.filter_map(|(column, array)| array.map(|array| (column.arrow_field(), array)));
        let (fields, arrays): (Vec<_>, Vec<_>) = given.unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
            .map_err(|source| ColumnError::Build { table: self.table.name.clone(), source })
    }

    /// # Errors
    /// A column is missing, of another type or length than the contract says, or null where it must not be.
    pub fn finish(self) -> Result<RecordBatch, ColumnError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let columns = self.columns.into_iter().zip(&self.table.columns);
        let columns = columns.map(|(array, column)| {
            array.ok_or_else(|| ColumnError::Missing {
                table: self.table.name.clone(),
                column: column.name.clone(),
            })
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new(self.table.arrow_schema(), columns)
            .map_err(|source| ColumnError::Build { table: self.table.name.clone(), source })
    }
}

/// Reads columns of one record batch by name.
#[derive(Clone, Copy)]
pub struct TableReader<'a> {
    table: &'a str,
    batch: &'a RecordBatch,
}

impl<'a> TableReader<'a> {
    #[must_use]
    pub fn new(table: &'a str, batch: &'a RecordBatch) -> Self {
        Self { table, batch }
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn typed_column<T: 'static>(&self, name: &str, expected: &'static str) -> Result<&'a T, ColumnError> {
        let array = self
            .batch
            .column_by_name(name)
            .ok_or_else(|| ColumnError::Missing { table: self.table.to_owned(), column: name.to_owned() })?;
        array.as_any().downcast_ref::<T>().ok_or_else(|| ColumnError::Type {
            table: self.table.to_owned(),
            column: name.to_owned(),
            asked: expected,
            is: array.data_type().to_string(),
        })
    }

    /// Text, null as `None`.
    ///
    /// # Errors
    /// The column is missing or of another type; so for the readers below.
    pub fn strings(&self, name: &str) -> Result<Vec<Option<&'a str>>, ColumnError> {
        Ok(self.typed_column::<StringArray>(name, "string")?.iter().collect())
    }

    /// Text of a column that is never null.
    ///
    /// # Errors
    /// As for [`Self::strings`], or one is null.
    pub fn texts(&self, name: &str) -> Result<Vec<&'a str>, ColumnError> {
        self.never_null(name, self.strings(name)?)
    }

    /// # Errors
    /// As for [`Self::strings`], or a text is no UUID.
    pub fn uuids(&self, name: &str) -> Result<Vec<Option<Uuid>>, ColumnError> {
        // Rows of one thing mostly follow one another: its id is read once.
        let mut last: Option<(&str, Uuid)> = None;
        let mut read = |row: usize, text| match last {
            Some((before, id)) if before == text => Ok(id),
            _ => {
                let id = Uuid::try_parse(text).map_err(|_| ColumnError::Id {
                    table: self.table.to_owned(),
                    column: name.to_owned(),
                    row,
                    text: text.to_owned(),
                })?;
                last = Some((text, id));
                Ok(id)
            }
        };
        let texts = self.strings(name)?.into_iter().enumerate();
        texts.map(|(row, text)| text.map(|text| read(row, text)).transpose()).collect()
    }

    /// Ids of a column that is never null.
    ///
    /// # Errors
    /// As for [`Self::uuids`], or one is null.
    pub fn ids(&self, name: &str) -> Result<Vec<Uuid>, ColumnError> {
        self.never_null(name, self.uuids(name)?)
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn int32s(&self, name: &str) -> Result<Vec<Option<i32>>, ColumnError> {
        self.typed_column::<Int32Array>(name, "int32")?;
        Ok(self.batch[name].as_primitive::<Int32Type>().iter().collect())
    }

    /// Numbers of a column that is never null.
    ///
    /// # Errors
    /// As for [`Self::strings`], or one is null.
    pub fn counts(&self, name: &str) -> Result<Vec<i32>, ColumnError> {
        self.never_null(name, self.int32s(name)?)
    }

    /// Dates of a column that is never null.
    ///
    /// # Errors
    /// As for [`Self::strings`], or one is null.
    pub fn days(&self, name: &str) -> Result<Vec<NaiveDate>, ColumnError> {
        self.never_null(name, self.dates(name)?)
    }

    /// # Errors
    /// As for [`Self::strings`], or one is null; so for the readers below.
    pub fn whole_numbers(&self, name: &str) -> Result<Vec<i64>, ColumnError> {
        self.never_null(name, self.int64s(name)?)
    }

    /// # Errors
    /// As for [`Self::whole_numbers`].
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, ColumnError> {
        self.never_null(name, self.floats(name)?)
    }

    /// # Errors
    /// As for [`Self::whole_numbers`].
    pub fn flags(&self, name: &str) -> Result<Vec<bool>, ColumnError> {
        self.never_null(name, self.bools(name)?)
    }

    /// # Errors
    /// As for [`Self::whole_numbers`].
    pub fn times(&self, name: &str) -> Result<Vec<DateTime<Utc>>, ColumnError> {
        self.never_null(name, self.instants(name)?)
    }

    fn never_null<T>(&self, name: &str, values: Vec<Option<T>>) -> Result<Vec<T>, ColumnError> {
        let null = |row| ColumnError::Null { table: self.table.to_owned(), column: name.to_owned(), row };
        values.into_iter().enumerate().map(|(row, value)| value.ok_or_else(|| null(row))).collect()
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn int64s(&self, name: &str) -> Result<Vec<Option<i64>>, ColumnError> {
        self.typed_column::<Int64Array>(name, "int64")?;
        Ok(self.batch[name].as_primitive::<Int64Type>().iter().collect())
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn floats(&self, name: &str) -> Result<Vec<Option<f64>>, ColumnError> {
        self.typed_column::<Float64Array>(name, "float64")?;
        Ok(self.batch[name].as_primitive::<Float64Type>().iter().collect())
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn bools(&self, name: &str) -> Result<Vec<Option<bool>>, ColumnError> {
        Ok(self.typed_column::<BooleanArray>(name, "bool")?.iter().collect())
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn dates(&self, name: &str) -> Result<Vec<Option<NaiveDate>>, ColumnError> {
        self.typed_column::<Date32Array>(name, "date")?;
        Ok(self.batch[name].as_primitive::<Date32Type>().iter().map(|d| d.map(from_epoch_days)).collect())
    }

    /// # Errors
    /// As for [`Self::strings`].
    pub fn instants(&self, name: &str) -> Result<Vec<Option<DateTime<Utc>>>, ColumnError> {
        self.typed_column::<TimestampMillisecondArray>(name, "instant")?;
        let millis = self.batch[name].as_primitive::<TimestampMillisecondType>();
        Ok(millis.iter().map(|t| t.and_then(DateTime::from_timestamp_millis)).collect())
    }
}

/// Joins batches of one table; none at all gives an empty batch with the contract's schema.
///
/// # Errors
/// The batches do not follow the contract.
pub fn batches_to_one(table: &Table, batches: &[RecordBatch]) -> Result<RecordBatch, ColumnError> {
    concat_batches(&table.arrow_schema(), batches)
        .map_err(|source| ColumnError::Build { table: table.name.clone(), source })
}
