//! A wide table whose columns are decoded as they are asked for: all at once they would take many times the room.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;

use crate::Lake;
use crate::error::LakeError;
use crate::parquet_io::{batch_of, catch_parquet_panic};
use crate::record_batches::RecordBatches;
use crate::snapshot::SnapshotManifest;
use crate::verified_file::VerifiedFile;

/// A table of a snapshot, checked against its digest when it was opened, and whatever is read of it since. It stays open, so
/// that it may leave its folder meanwhile, and its bytes stay on disk. Reading takes no turn: threads may ask at the same time.
#[derive(Debug)]
pub struct OpenTable {
    path: PathBuf,
    file: VerifiedFile,
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
        match with_coded_texts(&file) {
            Ok((plain, metadata)) => Ok(OpenTable { path, file, metadata, plain }),
            Err(source) => Err(LakeError::Decode { path, source }),
        }
    }
}

impl Lake {
    /// The file of a snapshot's table, open and checked against its digest.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn snapshot_table_file(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
    ) -> Result<VerifiedFile, LakeError> {
        Ok(self.open_table_file(&manifest.folder(), "tables/", table, manifest.table(table))?.1)
    }
}

impl OpenTable {
    /// How many rows it has.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        usize::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or_default()
    }

    /// How many columns it has.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.plain.schema().fields().len()
    }

    /// Some rows of these columns, in the order of the table; a name that it does not have is left out. Texts come
    /// as dictionaries (`Int32` codes), as they are stored. Whole pages are decoded: of 20,000 rows, or fewer.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn read_columns(&self, names: &[&str], rows: Range<usize>) -> Result<RecordBatch, LakeError> {
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
        catch_parquet_panic(decode).map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }

    /// All rows from the first, so many at a time, with these columns of those that it has, or with all. Each page is decoded
    /// once.
    ///
    /// # Errors
    /// [`LakeError::Decode`], also of each batch.
    pub fn row_batches(
        &self,
        columns: Option<&[&str]>,
        rows: usize,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, LakeError>> + use<>, LakeError> {
        let path = self.path.clone();
        let failed = |source| LakeError::Decode { path: self.path.clone(), source };
        let schema = self.plain.schema();
        let places = columns.map(|names| names.iter().filter_map(|name| schema.index_of(name).ok()));
        let mask = match places {
            Some(places) => ProjectionMask::leaves(self.plain.parquet_schema(), places),
            None => ProjectionMask::all(),
        };
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.plain.clone());
        let reader = builder.with_projection(mask).with_batch_size(rows).build().map_err(failed)?;
        let failed = move |source| LakeError::Decode { path: path.clone(), source };
        Ok(RecordBatches(reader).map(move |batch| batch.map_err(&failed)))
    }

    /// The rows from one place of the table to another, with all columns. Only the pages that they stand in are decoded.
    ///
    /// # Errors
    /// [`LakeError::Decode`].
    pub fn read_rows(&self, rows: Range<usize>) -> Result<RecordBatch, LakeError> {
        let decode = || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.plain.clone());
            batch_of(builder.with_offset(rows.start).with_limit(rows.len()), rows.len())
        };
        catch_parquet_panic(decode).map_err(|source| LakeError::Decode { path: self.path.clone(), source })
    }
}

/// Names, types and notes of the columns, and what is noted of the file as metadata of all.
pub(crate) fn read_schema(file: &VerifiedFile) -> Result<SchemaRef, ParquetError> {
    Ok(Arc::clone(ArrowReaderMetadata::load(file, ArrowReaderOptions::new())?.schema()))
}

fn with_coded_texts(file: &VerifiedFile) -> Result<(ArrowReaderMetadata, ArrowReaderMetadata), ParquetError> {
    let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
    let plain = ArrowReaderMetadata::load(file, options)?;
    let fields = plain.schema().fields().iter().map(|field| dictionary_field(field));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let coded = ArrowReaderMetadata::try_new(
        Arc::clone(plain.metadata()),
        ArrowReaderOptions::new().with_schema(schema),
    )?;
    Ok((plain, coded))
}

fn dictionary_field(field: &Field) -> Field {
    if *field.data_type() != DataType::Utf8 {
        return field.clone();
    }
    let codes = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    field.clone().with_data_type(codes)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;

    use super::*;
    use crate::testing::{draft, events, lake, noon};

    #[test]
    fn a_bit_that_flips_under_an_open_table_is_an_error_and_never_another_value() {
        let (_folder, lake) = lake();
        let ids: Vec<String> = (0..30_000).map(|n| format!("{n:08}")).collect();
        let mut draft = draft(&["a"], "1", 15);
        draft.tables[0].1 = events(&ids).into();
        let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft).unwrap();
        let table = lake.open_snapshot_table(&made, "statsdb_events").unwrap();
        let rows = [0..10, 12_345..12_400, 20_100..20_101, 29_990..30_000];
        let read = |rows: &Range<usize>| {
            (
                table.read_rows(rows.clone()),
                table.read_columns(&["event", "event_date", "location"], rows.clone()),
            )
        };
        let right =
            rows.clone().map(|rows| read(&rows)).map(|(rows, columns)| (rows.unwrap(), columns.unwrap()));
        let path = lake.root().join(made.folder()).join("tables/statsdb_events.parquet");
        let file = File::options().read(true).write(true).open(path).unwrap();
        let (bytes, mut refused) = (file.metadata().unwrap().len(), 0);
        for place in (0..bytes).step_by(2_003) {
            let mut byte = [0];
            file.read_exact_at(&mut byte, place).unwrap();
            file.write_all_at(&[byte[0] ^ 1 << (place % 8)], place).unwrap();
            for (rows, right) in rows.iter().zip(&right) {
                let (rows, columns) = read(rows);
                refused += [rows.is_err(), columns.is_err()].into_iter().filter(|is| *is).count();
                assert!(rows.is_err() || rows.unwrap() == right.0, "at {place}");
                assert!(columns.is_err() || columns.unwrap() == right.1, "at {place}");
            }
            file.write_all_at(&byte, place).unwrap();
        }
        assert!(refused > 0);
        assert_eq!(read(&rows[1]).0.unwrap(), right[1].0);
    }
}
