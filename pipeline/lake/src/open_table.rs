//! A wide table whose columns are decoded as they are asked for: all at once they would take many times the room.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;
use parquet::file::reader::{ChunkReader, Length};

use crate::Lake;
use crate::error::LakeError;
use crate::parquet_io::{batch_of, guarded};
use crate::snapshot::SnapshotManifest;

/// A table of a snapshot, checked against its digest when it was opened. It stays open, so that it may leave its folder
/// meanwhile, and its bytes stay on disk. Reading takes no turn: threads may ask at the same time.
#[derive(Debug)]
pub struct OpenTable {
    path: PathBuf,
    file: SharedFile,
    metadata: ArrowReaderMetadata,
    /// The same with texts as texts.
    plain: ArrowReaderMetadata,
}

impl Lake {
    /// Opens a table of a snapshot. As in [`Self::read_snapshot_table`], its columns are those of the contract
    /// version in its entry.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn open_snapshot_table(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
    ) -> Result<OpenTable, LakeError> {
        let (path, file) =
            self.open_table_file(&manifest.folder(), "tables/", table, manifest.table(table))?;
        let file = SharedFile(Arc::new(file));
        match with_coded_texts(&file) {
            Ok((plain, metadata)) => Ok(OpenTable { path, file, metadata, plain }),
            Err(source) => Err(LakeError::Decode { path, source }),
        }
    }
}

impl Lake {
    /// The file of a snapshot's table, whole and checked against its digest.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn snapshot_table_file(&self, manifest: &SnapshotManifest, table: &str) -> Result<Bytes, LakeError> {
        Ok(self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?.bytes)
    }
}

impl OpenTable {
    /// How many rows it has.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        usize::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or_default()
    }

    /// Some rows of these columns, in the order of the table; a name that it does not have is left out. Texts come
    /// as dictionaries (`Int32` codes), as they are stored. Whole pages are decoded: of 20,000 rows, or fewer.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn columns(&self, names: &[&str], rows: Range<usize>) -> Result<RecordBatch, LakeError> {
        let decode = || {
            let schema = self.metadata.schema();
            let places = names.iter().filter_map(|name| schema.index_of(name).ok());
            // No column is nested, so that its place is that of its leaf.
            let mask = ProjectionMask::leaves(self.metadata.parquet_schema(), places);
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone());
            let builder = builder.with_projection(mask).with_offset(rows.start).with_limit(rows.len());
            batch_of(builder, rows.len())
        };
        guarded(decode).map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }

    /// The rows from one place of the table to another, with all columns. Only the pages that they stand in are decoded.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn rows(&self, rows: Range<usize>) -> Result<RecordBatch, LakeError> {
        let decode = || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.plain.clone());
            batch_of(builder.with_offset(rows.start).with_limit(rows.len()), rows.len())
        };
        guarded(decode).map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }
}

/// What is read of a page before it is known how long it is.
const PAGE_HEAD: usize = 512;

/// Threads read it at the same time, each from its own place.
#[derive(Debug, Clone)]
struct SharedFile(Arc<File>);

impl Length for SharedFile {
    fn len(&self) -> u64 {
        // One that cannot be asked has nothing to be read: an error at the first read.
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        // The head of a page is read byte by byte.
        Ok(BufReader::with_capacity(PAGE_HEAD, ReadFrom { file: Arc::clone(&self.0), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = vec![0; length];
        self.0.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// A file from a place on.
struct ReadFrom {
    file: Arc<File>,
    at: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

fn with_coded_texts(file: &SharedFile) -> Result<(ArrowReaderMetadata, ArrowReaderMetadata), ParquetError> {
    let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
    let plain = ArrowReaderMetadata::load(file, options)?;
    let fields = plain.schema().fields().iter().map(|field| coded(field));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let coded = ArrowReaderMetadata::try_new(
        Arc::clone(plain.metadata()),
        ArrowReaderOptions::new().with_schema(schema),
    )?;
    Ok((plain, coded))
}

fn coded(field: &Field) -> Field {
    if *field.data_type() != DataType::Utf8 {
        return field.clone();
    }
    let codes = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    field.clone().with_data_type(codes)
}
