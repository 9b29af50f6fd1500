//! The rows of a checked Parquet file, some at a time.

use arrow::array::{RecordBatch, RecordBatchReader as _};
use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;

use crate::parquet_io::catch_parquet_panic;
use crate::verified_file::VerifiedFile;

/// All rows of a Parquet file in batches, in the order of the file. Panics of the reader at damaged pages are errors.
#[derive(Debug)]
pub struct RecordBatches(pub(crate) ParquetRecordBatchReader);

impl VerifiedFile {
    /// The rows, with all columns, `rows` of them at a time.
    ///
    /// # Errors
    /// The head of the file cannot be read. Each batch may fail by itself.
    pub fn record_batches(&self, rows: usize) -> Result<RecordBatches, ParquetError> {
        let file = self.clone();
        let open = || ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(rows.max(1)).build();
        catch_parquet_panic(open).map(RecordBatches)
    }
}

impl RecordBatches {
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

impl Iterator for RecordBatches {
    type Item = Result<RecordBatch, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        catch_parquet_panic(|| Ok(self.0.next().transpose()?)).transpose()
    }
}
