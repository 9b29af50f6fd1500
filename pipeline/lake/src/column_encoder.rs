//! Encodes a table column by column, for one that would not fit into memory as a whole: of a column its compressed pages
//! are kept, in a temporary file. The bytes are those of the same table encoded at once.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use bytes::Bytes;
use fdna_schemas::Table;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowRowGroupWriterFactory, PageKey, PageStore, PageStoreArgs, PageStoreFactory,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;

use crate::LakeError;
use crate::contract;
use crate::error::ContractError;
use crate::parquet_io::{EncodedTable, ROWS_IN_GROUP, compressed, encode_column, properties};

/// Takes the columns of one table in any order, from any thread.
pub struct ColumnEncoder {
    table: &'static Table,
    schema: SchemaRef,
    rows: usize,
    pages: PageFile,
    /// By column, then group of rows.
    chunks: Vec<Mutex<Option<Vec<ArrowColumnChunk>>>>,
    /// Columns of the key, by its order.
    key: Vec<OnceLock<ArrayRef>>,
}

impl ColumnEncoder {
    /// For a table of that many rows.
    ///
    /// # Errors
    /// No table of that name has a contract.
    pub fn new(table: &str, rows: usize) -> Result<Self, LakeError> {
        let table = contract::find(table)?;
        let pages = tempfile::tempfile().map_err(ParquetError::from);
        let pages = pages.map_err(|source| LakeError::Encode { table: table.name.clone(), source })?;
        Ok(Self {
            chunks: table.columns.iter().map(|_| Mutex::new(None)).collect(),
            key: table.key.iter().map(|_| OnceLock::new()).collect(),
            pages: PageFile { file: Arc::new(pages), end: Arc::default() },
            schema: table.arrow_schema(),
            table,
            rows,
        })
    }

    /// Encodes columns, given with all their rows.
    ///
    /// # Errors
    /// One does not follow the contract or was given before.
    pub fn add(&self, columns: &RecordBatch) -> Result<(), LakeError> {
        columns.schema().fields().iter().try_for_each(|field| self.add_column(field.name(), columns))
    }

    fn add_column(&self, name: &str, columns: &RecordBatch) -> Result<(), LakeError> {
        let refuse = |source| contract::refuse(&self.table.name, source);
        let (place, values) = contract::conform_column(self.table, name, columns).map_err(refuse)?;
        if let Some(of_key) = self.table.key.iter().position(|key| key == name) {
            let _ = self.key[of_key].set(values.clone());
        }
        let chunks = self.encode(place, &values);
        let chunks = chunks.map_err(|source| LakeError::Encode { table: self.table.name.clone(), source })?;
        let before = lock(&self.chunks[place]).replace(chunks);
        if values.len() == self.rows && before.is_none() {
            Ok(())
        } else {
            Err(refuse(ContractError::Extra { column: name.to_owned() }))
        }
    }

    fn encode(&self, place: usize, values: &ArrayRef) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        // Writers of this column alone: each holds a compressor, and a table may have a thousand columns.
        let column = Arc::new(self.schema.project(&[place])?);
        let (_, writers) = begin(self.table, column, Vec::new())?;
        let writers = writers.with_page_store_factory(Arc::new(self.pages.clone()));
        let mut chunks = Vec::new();
        for (group, first) in (0..values.len()).step_by(ROWS_IN_GROUP).enumerate() {
            let rows = values.slice(first, ROWS_IN_GROUP.min(values.len() - first));
            for writer in writers.create_column_writers(group)? {
                chunks.push(encode_column(writer, self.schema.field(place), &rows)?);
            }
        }
        Ok(chunks)
    }

    /// The table.
    ///
    /// # Errors
    /// A column is missing, or the rows are not in the order of the key.
    pub fn finish(self) -> Result<EncodedTable, LakeError> {
        let refuse = |source| contract::refuse(&self.table.name, source);
        let columns = self.chunks.into_iter().zip(&self.table.columns);
        let mut columns = columns
            .map(|(chunks, column)| match lock(&chunks).take() {
                Some(chunks) => Ok(chunks.into_iter()),
                None => Err(refuse(ContractError::Missing { column: column.name.clone() })),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let key: Vec<ArrayRef> = self.key.into_iter().filter_map(OnceLock::into_inner).collect();
        contract::check_key(self.table, &key).map_err(refuse)?;
        let mut append = || {
            let room = usize::try_from(self.pages.end.load(Ordering::Relaxed)).unwrap_or_default();
            let (mut file, _) = begin(self.table, self.schema.clone(), Vec::with_capacity(room + room / 64))?;
            for _ in 0..self.rows.div_ceil(ROWS_IN_GROUP) {
                let mut group = file.next_row_group()?;
                for chunk in columns.iter_mut().filter_map(Iterator::next) {
                    chunk.append_to_row_group(&mut group)?;
                }
                group.close()?;
            }
            file.into_inner()
        };
        let bytes = append();
        let bytes = bytes.map_err(|source| LakeError::Encode { table: self.table.name.clone(), source })?;
        Ok(EncodedTable::new(self.table, self.rows, bytes.into()))
    }
}

/// A file of columns of a table, and what makes their writers.
fn begin(
    table: &Table,
    columns: SchemaRef,
    into: Vec<u8>,
) -> Result<(SerializedFileWriter<Vec<u8>>, ArrowRowGroupWriterFactory), ParquetError> {
    ArrowWriter::try_new(into, columns, Some(properties(table, compressed())))?.into_serialized_writer()
}

/// Pages of all columns, one after another in a file that has no name and goes with the process.
#[derive(Debug, Clone)]
struct PageFile {
    file: Arc<File>,
    end: Arc<AtomicU64>,
}

impl PageStoreFactory for PageFile {
    fn create(&self, _: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>, ParquetError> {
        Ok(Box::new(ColumnPages { file: self.clone(), pages: Vec::new() }))
    }
}

/// The pages of one column: where in the file they begin, and their lengths.
struct ColumnPages {
    file: PageFile,
    pages: Vec<(u64, usize)>,
}

impl PageStore for ColumnPages {
    fn put(&mut self, page: Bytes) -> Result<PageKey, ParquetError> {
        let begin = self.file.end.fetch_add(page.len() as u64, Ordering::Relaxed);
        self.file.file.write_all_at(&page, begin)?;
        self.pages.push((begin, page.len()));
        Ok(PageKey::new(self.pages.len() as u64 - 1))
    }

    fn take(&mut self, key: PageKey) -> Result<Bytes, ParquetError> {
        let page = usize::try_from(key.get()).ok().and_then(|place| self.pages.get(place));
        let (begin, length) = *page.ok_or_else(|| ParquetError::General("no such page".to_owned()))?;
        let mut bytes = vec![0; length];
        self.file.file.read_exact_at(&mut bytes, begin)?;
        Ok(bytes.into())
    }
}

/// A thread that panics leaves nothing half done behind a lock here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet_io::encode;
    use crate::testing::events;

    fn encoder(batch: &RecordBatch) -> ColumnEncoder {
        ColumnEncoder::new("statsdb_events", batch.num_rows()).unwrap()
    }

    #[test]
    fn columns_in_any_order_make_the_bytes_of_the_whole_table() {
        let ids: Vec<String> = (0..ROWS_IN_GROUP + 5).map(|row| format!("{row:09}")).collect();
        let batch = events(&ids);
        let encoder = encoder(&batch);
        for column in (0..batch.num_columns()).rev() {
            encoder.add(&batch.project(&[column]).unwrap()).unwrap();
        }
        let whole = encode(encoder.table, &batch).unwrap();
        assert!(encoder.finish().unwrap().bytes == whole.bytes);
    }

    #[test]
    fn a_missing_column_one_given_twice_and_rows_out_of_order_are_refused() {
        let batch = events(&["a", "b"]);
        let missing = encoder(&batch);
        missing.add(&batch.project(&[0]).unwrap()).unwrap();
        assert!(missing.add(&batch.project(&[0]).unwrap()).is_err(), "twice");
        assert!(missing.finish().is_err());
        let indices = arrow::array::UInt32Array::from(vec![1, 0]);
        let unsorted = arrow::compute::take_record_batch(&batch, &indices).unwrap();
        let encoder = encoder(&unsorted);
        encoder.add(&unsorted).unwrap();
        assert!(encoder.finish().is_err());
    }
}
