//! Encodes a table column by column, for one that would not fit into memory as a whole: the compressed pages of its
//! columns, and then the table made of them, are in temporary files. The bytes are those of the same table encoded at
//! once.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use bytes::Bytes;
use fdna_schemas::Table;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, PageKey, PageStore, PageStoreArgs, PageStoreFactory};
use parquet::errors::ParquetError;
use rayon::prelude::*;

use crate::contract;
use crate::error::ContractError;
use crate::file_content::HashingFile;
use crate::parquet_io::{
    EncodedTable, ROWS_IN_GROUP, append_row_group, default_compression, encode_column, start_file,
};
use crate::{LakeError, LakeWriter};

/// Takes the columns of one table in any order, from any thread.
pub struct ColumnEncoder {
    table: &'static Table,
    schema: SchemaRef,
    rows: usize,
    pages: PageFile,
    /// Where the file of the pages lies.
    folder: PathBuf,
    /// By column, then group of rows.
    chunks: Vec<Mutex<Option<Vec<ArrowColumnChunk>>>>,
    /// Columns of the key that were given, by its order; none any more once all were, and their rows found in order.
    key: Mutex<Vec<Option<ArrayRef>>>,
}

impl LakeWriter {
    /// An encoder for a table of that many rows, whose pages wait in the lake's folder: where there is room for the table
    /// there must be room for them.
    ///
    /// # Errors
    /// No table of that name has a contract, or the folder cannot be written.
    pub fn column_encoder(&self, table: &str, rows: usize) -> Result<ColumnEncoder, LakeError> {
        let table = contract::find_contract(table)?;
        let root = Some(self.lake().root()).filter(|root| root.is_dir());
        let folder = root.map_or_else(std::env::temp_dir, Path::to_owned);
        let pages = match self.lake().store.bucket() {
            Some(bucket) => bucket.scratch_file(),
            None => tempfile::tempfile_in(&folder),
        };
        let pages = pages.map_err(|source| LakeError::Write { path: folder.clone(), source })?;
        Ok(ColumnEncoder {
            chunks: table.columns.iter().map(|_| Mutex::new(None)).collect(),
            key: Mutex::new(vec![None; table.key.len()]),
            pages: PageFile { file: Arc::new(pages), end: Arc::default() },
            folder,
            schema: table.arrow_schema(),
            table,
            rows,
        })
    }
}

impl ColumnEncoder {
    /// Encodes columns, given with all their rows.
    ///
    /// # Errors
    /// One does not follow the contract or was given before, or the rows are not in the order of the key, which the last of
    /// its columns shows.
    pub fn encode_columns(&self, columns: &RecordBatch) -> Result<(), LakeError> {
        let schema = columns.schema();
        schema.fields().par_iter().try_for_each(|field| self.add_column(field.name(), columns))
    }

    fn add_column(&self, name: &str, columns: &RecordBatch) -> Result<(), LakeError> {
        let refuse = |source| contract::contract_error(&self.table.name, source);
        let (place, values) = contract::conform_column(self.table, name, columns).map_err(refuse)?;
        if values.len() != self.rows {
            let (column, expected, found) = (name.to_owned(), self.rows, values.len());
            return Err(refuse(ContractError::Length { column, expected, found }));
        }
        if let Some(of_key) = self.table.key.iter().position(|key| key == name) {
            self.add_to_key(of_key, values.clone()).map_err(refuse)?;
        }
        let chunks = self.encode_column(place, &values).map_err(|error| self.to_lake_error(error))?;
        match lock(&self.chunks[place]).replace(chunks) {
            None => Ok(()),
            Some(_) => Err(refuse(ContractError::Extra { column: name.to_owned() })),
        }
    }

    fn add_to_key(&self, place: usize, values: ArrayRef) -> Result<(), ContractError> {
        let mut key = lock(&self.key);
        if let Some(column) = key.get_mut(place) {
            *column = Some(values);
        }
        if !key.iter().all(Option::is_some) {
            return Ok(());
        }
        let key: Vec<ArrayRef> = std::mem::take(&mut *key).into_iter().flatten().collect();
        contract::check_key(self.table, &key)
    }

    /// A full disk is no fault of the table.
    fn to_lake_error(&self, error: ParquetError) -> LakeError {
        let source = match error {
            ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
                Ok(source) => return LakeError::Write { path: self.folder.clone(), source: *source },
                Err(inner) => ParquetError::External(inner),
            },
            other => other,
        };
        LakeError::Encode { table: self.table.name.clone(), source }
    }

    fn encode_column(&self, place: usize, values: &ArrayRef) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        // Writers of this column alone: each holds a compressor, and a table may have a thousand columns.
        let column = Arc::new(self.schema.project(&[place])?);
        let (_, writers) = start_file(
            self.table,
            &self.table.columns[place..=place],
            column,
            default_compression(),
            Vec::new(),
        )?;
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
    /// A column is missing.
    pub fn finish(mut self) -> Result<EncodedTable, LakeError> {
        let refuse = |source| contract::contract_error(&self.table.name, source);
        let columns = std::mem::take(&mut self.chunks).into_iter().zip(&self.table.columns);
        let mut columns = columns
            .map(|(chunks, column)| match lock(&chunks).take() {
                Some(chunks) => Ok(chunks.into_iter()),
                None => Err(refuse(ContractError::Missing { column: column.name.clone() })),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut append = || {
            let into = HashingFile::new(tempfile::tempfile_in(&self.folder)?);
            let (mut file, _) = start_file(
                self.table,
                &self.table.columns,
                self.schema.clone(),
                default_compression(),
                into,
            )?;
            for _ in 0..self.rows.div_ceil(ROWS_IN_GROUP) {
                append_row_group(&mut file, columns.iter_mut().filter_map(Iterator::next))?;
            }
            file.into_inner()
        };
        let written = append().map_err(|error| self.to_lake_error(error))?;
        Ok(EncodedTable::from_hashed(self.table, self.rows, written.finish()))
    }
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
    use crate::parquet_io::encode_table;
    use crate::testing::{events, lake, noon};

    /// With the folder of its lake, which has to be there until it has ended.
    fn encoder(batch: &RecordBatch) -> (tempfile::TempDir, ColumnEncoder) {
        let (folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        (folder, writer.column_encoder("statsdb_events", batch.num_rows()).unwrap())
    }

    #[test]
    fn a_full_disk_is_told_as_one() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert!(encoder(&events(&["a"])).1.to_lake_error(full.into()).is_full());
    }

    #[test]
    fn columns_in_any_order_make_the_bytes_of_the_whole_table() {
        let ids: Vec<String> = (0..ROWS_IN_GROUP + 5).map(|row| format!("{row:09}")).collect();
        let batch = events(&ids);
        let (_folder, encoder) = encoder(&batch);
        for column in (0..batch.num_columns()).rev() {
            encoder.encode_columns(&batch.project(&[column]).unwrap()).unwrap();
        }
        let whole = encode_table(encoder.table, &batch).unwrap();
        assert!(encoder.finish().unwrap().content.to_bytes() == whole.content.to_bytes());
    }

    #[test]
    fn a_missing_column_one_given_twice_and_rows_out_of_order_are_refused() {
        let batch = events(&["a", "b"]);
        let (_folder, missing) = encoder(&batch);
        missing.encode_columns(&batch.project(&[0]).unwrap()).unwrap();
        assert!(missing.encode_columns(&batch.project(&[0]).unwrap()).is_err(), "twice");
        assert!(missing.encode_columns(&events(&["a"]).project(&[1]).unwrap()).is_err(), "too short");
        assert!(missing.finish().is_err());
        let indices = arrow::array::UInt32Array::from(vec![1, 0]);
        let unsorted = arrow::compute::take_record_batch(&batch, &indices).unwrap();
        let (_folder, encoder) = encoder(&unsorted);
        assert!(encoder.encode_columns(&unsorted).is_err());
    }
}
