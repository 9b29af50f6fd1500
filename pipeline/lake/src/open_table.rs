//! A wide table whose columns are decoded as they are asked for: all at once they would take many times the room.

use std::ops::Range;
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

use crate::Lake;
use crate::error::LakeError;
use crate::parquet_io::{guarded, one_batch};
use crate::snapshot::SnapshotManifest;

/// A table of a snapshot, checked against its digest. Reading takes no turn: threads may ask at the same time.
#[derive(Debug)]
pub struct OpenTable {
    path: PathBuf,
    bytes: Bytes,
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
        let file = self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?;
        let (path, bytes) = file.into_parts();
        match with_coded_texts(&bytes) {
            Ok((plain, metadata)) => Ok(OpenTable { path, bytes, metadata, plain }),
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
        let file = self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?;
        Ok(file.into_parts().1)
    }
}

impl OpenTable {
    /// Every row of these columns, in the order of the table; a name that it does not have is left out. Texts come
    /// as dictionaries (`Int32` codes), as they are stored.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn columns(&self, names: &[&str]) -> Result<RecordBatch, LakeError> {
        let decode = || {
            let schema = self.metadata.schema();
            let places = names.iter().filter_map(|name| schema.index_of(name).ok());
            // No column is nested, so that its place is that of its leaf.
            let mask = ProjectionMask::leaves(self.metadata.parquet_schema(), places);
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), self.metadata.clone());
            one_batch(builder.with_projection(mask))
        };
        decode().map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }

    /// The rows from one place of the table to another, with all columns. Only the pages that they stand in are decoded.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn rows(&self, rows: Range<usize>) -> Result<RecordBatch, LakeError> {
        let decode = || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), self.plain.clone());
            one_batch(builder.with_offset(rows.start).with_limit(rows.len()))
        };
        guarded(decode).map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }
}

fn with_coded_texts(bytes: &Bytes) -> Result<(ArrowReaderMetadata, ArrowReaderMetadata), ParquetError> {
    let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
    let plain = ArrowReaderMetadata::load(bytes, options)?;
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
