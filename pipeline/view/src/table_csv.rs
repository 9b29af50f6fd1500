//! A table as CSV (RFC 4180), for spreadsheets and programs that read no Parquet.

use std::io;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use fdna_lake::{RecordBatches, VerifiedFile};

/// Rows times columns of the largest table that is written as CSV.
pub const MAX_CSV_CELLS: u64 = 10_000_000;

/// Rows that are written at a time.
const BATCH_ROWS: usize = 2048;

/// The text of a table, a piece at a time: a line of the columns' names, and a line for each row in the order of the file.
/// Null is an empty field, an instant RFC 3339 in UTC, a day `YYYY-MM-DD`, a number the shortest text that reads as the
/// same number.
pub struct TableCsv {
    batches: RecordBatches,
    has_names: bool,
}

impl std::fmt::Debug for TableCsv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TableCsv")
    }
}

impl TableCsv {
    /// Begins to read a table's file.
    ///
    /// # Errors
    /// Its head cannot be read, or is damaged.
    pub fn open(file: &VerifiedFile) -> io::Result<Self> {
        let batches = file.record_batches(BATCH_ROWS).map_err(io::Error::other)?;
        Ok(Self { batches, has_names: false })
    }

    fn names(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.batches.schema().fields().iter().map(|field| field.name()))?;
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

impl Iterator for TableCsv {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        if !std::mem::replace(&mut self.has_names, true) {
            return Some(self.names());
        }
        let batch = self.batches.next()?;
        Some(batch.map_err(io::Error::other).and_then(|batch| write_rows(&batch)))
    }
}

fn write_rows(batch: &RecordBatch) -> io::Result<Vec<u8>> {
    let options = FormatOptions::new().with_timestamp_tz_format(Some("%Y-%m-%dT%H:%M:%S%.3fZ"));
    let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let columns = columns.collect::<Result<Vec<_>, ArrowError>>().map_err(io::Error::other)?;
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let mut field = String::new();
    for row in 0..batch.num_rows() {
        for column in &columns {
            field.clear();
            column.value(row).write(&mut field).map_err(io::Error::other)?;
            writer.write_field(&field)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}
