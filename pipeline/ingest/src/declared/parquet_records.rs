//! Rows of Parquet as texts. One that stands in a dictionary once may be that of a million rows: it stays there until a row
//! takes it, and what all rows take is bounded.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use super::file_records::{FileRecords, WantedColumns, line, unreadable};
use crate::csv_reader::digest;
use crate::limits;
use crate::row::RowError;

impl WantedColumns<'_> {
    pub(super) fn parquet(&self, name: &str, bytes: Bytes) -> Result<FileRecords, RowError> {
        let failed = |error: &dyn std::error::Error| unreadable(format!("it is no Parquet: {error}"));
        let found = ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new()).map_err(|e| failed(&e))?;
        let header: Vec<String> = found.schema().fields().iter().map(|f| f.name().clone()).collect();
        let places = self.places(&header)?;
        let rows = usize::try_from(found.metadata().file_metadata().num_rows()).unwrap_or(usize::MAX);
        limits::check("cells", rows.saturating_mul(header.len()), limits::max_cells())?;
        let unpacked =
            found.metadata().row_groups().iter().map(|rows| usize::try_from(rows.total_byte_size()));
        let unpacked = unpacked.fold(0_usize, |all, bytes| all.saturating_add(bytes.unwrap_or(usize::MAX)));
        limits::check("bytes when it is unpacked", unpacked, limits::max_cell_bytes())?;
        let options = ArrowReaderOptions::new().with_schema(Arc::new(with_dictionaries(found.schema())));
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(bytes, options);
        let builder = builder.map_err(|e| failed(&e))?;
        // Columns that nobody reads are not unpacked.
        let mut read: Vec<usize> = places.iter().flatten().copied().collect();
        read.sort_unstable();
        read.dedup();
        let mask = ProjectionMask::roots(builder.parquet_schema(), read.iter().copied());
        let own: Vec<_> = places.iter().map(|place| read.binary_search(&(*place)?).ok()).collect();
        let (mut records, mut taken) = (Vec::with_capacity(rows), 0_usize);
        for batch in builder.with_projection(mask).build().map_err(|e| failed(&e))? {
            let batch = batch.map_err(|e| failed(&e))?;
            let texts = batch.columns().iter().map(TextColumn::of).collect::<Result<Vec<_>, _>>();
            let texts = texts.map_err(|e| failed(&e))?;
            for row in 0..batch.num_rows() {
                let of = |place: usize| texts.get(place)?.text(row).map(str::to_owned);
                let mut record = self.record(line(records.len() + 1), String::new(), &own, of);
                let bytes = record.cells.iter().flatten().map(String::len).sum::<usize>();
                taken = taken.saturating_add(bytes);
                limits::check("bytes in its cells", taken, limits::max_cell_bytes())?;
                record.digest = digest(record.text().as_bytes());
                records.push(record);
            }
        }
        let findings = self.unknown(name, &header);
        Ok(FileRecords { rows_in: records.len(), records, findings, path: None })
    }
}

/// The schema in which texts stay in their dictionaries.
fn with_dictionaries(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        text @ (DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary) => {
            let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(text.clone()));
            Arc::new(field.as_ref().clone().with_data_type(dictionary))
        }
        _ => Arc::clone(field),
    };
    Schema::new_with_metadata(
        schema.fields().iter().map(field).collect::<Vec<_>>(),
        schema.metadata().clone(),
    )
}

/// A column as texts.
struct TextColumn {
    /// The text of each row; of a dictionary each of its own.
    texts: ArrayRef,
    /// Of a dictionary, where in it the text of each row stands.
    keys: Option<ArrayRef>,
}

impl TextColumn {
    fn of(column: &ArrayRef) -> Result<Self, ArrowError> {
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            return Ok(Self { texts: text_column(column)?, keys: None });
        };
        let keys = cast(dictionary.keys(), &DataType::UInt64)?;
        Ok(Self { texts: text_column(dictionary.values())?, keys: Some(keys) })
    }

    fn text(&self, row: usize) -> Option<&str> {
        let place = match &self.keys {
            None => row,
            Some(keys) => {
                let keys = keys.as_primitive_opt::<arrow::datatypes::UInt64Type>()?;
                usize::try_from(keys.is_valid(row).then(|| keys.value(row))?).ok()?
            }
        };
        let texts = self.texts.as_string_opt::<i32>()?;
        (place < texts.len() && texts.is_valid(place)).then(|| texts.value(place))
    }
}

/// A column of Parquet as text. Instants are in UTC whatever zone their column names, which is not looked up.
fn text_column(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(unit, Some(_)) => {
            let since_epoch = cast(column, &DataType::Int64)?;
            cast(&cast(&since_epoch, &DataType::Timestamp(*unit, None))?, &DataType::Utf8)
        }
        _ => cast(column, &DataType::Utf8),
    }
}
