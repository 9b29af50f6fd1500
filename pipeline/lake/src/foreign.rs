//! Partitions that another engine wrote: taken for nothing until they are held to a contract.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, Date32Array, RecordBatch};
use arrow::compute::{SortColumn, concat_batches, lexsort_to_indices, take_record_batch};
use arrow::datatypes::{DataType, Date32Type, Field, Schema};
use bytes::Bytes;
use chrono::NaiveDate;
use fdna_schemas::Table;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::error::ContractError;
use crate::parquet_io::{catch_parquet_panic, one_batch};
use crate::{LakeError, contract};

/// Parquet files of one date, as engines write them into a folder `COLUMN=DATE`.
#[derive(Clone, Copy, Debug)]
pub struct ForeignPartition<'a> {
    /// Name of the table and of its contract.
    pub table: &'a str,
    /// The column that the folder is named by; files need not have it.
    pub column: &'a str,
    /// The value in every row.
    pub day: NaiveDate,
    /// Number of rows that all files must have together: nothing is decoded before they have it.
    pub rows: usize,
    /// The files, in any order.
    pub files: &'a [PathBuf],
}

/// The rows of a partition in the order of the contract's key, with the contract's columns. Rows may come in any order and
/// number of files; what the files say of their Arrow types is passed over.
///
/// # Errors
/// [`LakeError::Read`], [`LakeError::NotAFile`], [`LakeError::Decode`], or [`LakeError::Contract`]: other columns, types,
/// rows or days than there must be, a null, or a key that is there twice.
pub fn read_foreign_partition(partition: &ForeignPartition<'_>) -> Result<RecordBatch, LakeError> {
    let table = contract::find_contract(partition.table)?;
    let refuse = |source| contract::contract_error(partition.table, source);
    let mut files = Vec::new();
    for path in partition.files {
        files.push((path, open_parquet(path)?));
    }
    let rows = |(_, builder): &(&PathBuf, ParquetRecordBatchReaderBuilder<Bytes>)| {
        usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(usize::MAX)
    };
    same_rows(partition.rows, files.iter().map(rows).fold(0, usize::saturating_add)).map_err(refuse)?;
    let mut batches = Vec::new();
    for (path, builder) in files {
        let batch = catch_parquet_panic(|| one_batch(builder))
            .map_err(|source| LakeError::Decode { path: path.clone(), source })?;
        batches.push(with_day(table, partition, &batch).map_err(refuse)?);
    }
    let rows = batches.iter().map(RecordBatch::num_rows).fold(0, usize::saturating_add);
    same_rows(partition.rows, rows).map_err(refuse)?;
    let sorted = in_order(table, &batches).map_err(refuse)?;
    contract::conform_to_contract(table, &sorted).map_err(refuse)
}

fn open_parquet(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<Bytes>, LakeError> {
    let read = |source| LakeError::Read { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(read)?.is_file() {
        return Err(LakeError::NotAFile { path: path.to_owned(), found: "something else" });
    }
    let bytes = Bytes::from(fs::read(path).map_err(read)?);
    // An engine's own types of the same values, such as views of texts, stand in the notes that are passed over.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    catch_parquet_panic(|| ParquetRecordBatchReaderBuilder::try_new_with_options(bytes, options))
        .map_err(|source| LakeError::Decode { path: path.to_owned(), source })
}

fn same_rows(expected: usize, found: usize) -> Result<(), ContractError> {
    if expected == found { Ok(()) } else { Err(ContractError::Rows { expected, found }) }
}

/// The columns of the contract, the partition's own among them; that one is checked where the file has it.
fn with_day(
    table: &Table,
    partition: &ForeignPartition<'_>,
    batch: &RecordBatch,
) -> Result<RecordBatch, ContractError> {
    let day = Date32Type::from_naive_date(partition.day);
    let days: ArrayRef = Arc::new(Date32Array::from_value(day, batch.num_rows()));
    let (mut fields, mut columns) = (batch.schema().fields().to_vec(), batch.columns().to_vec());
    if let Some((place, _)) = batch.schema().column_with_name(partition.column) {
        if columns[place].to_data() != days.to_data() {
            return Err(ContractError::Partition {
                column: partition.column.to_owned(),
                expected: partition.day,
            });
        }
    } else {
        fields.push(Arc::new(Field::new(partition.column, DataType::Date32, false)));
        columns.push(days);
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map_err(ContractError::Arrow)?;
    contract::conform_all_columns(table, &batch)
}

fn in_order(table: &Table, batches: &[RecordBatch]) -> Result<RecordBatch, ContractError> {
    let Some(first) = batches.first() else { return Ok(RecordBatch::new_empty(table.arrow_schema())) };
    let one = concat_batches(first.schema_ref(), batches).map_err(ContractError::Arrow)?;
    let key = table.key_places().into_iter().map(|at| one.column(at).clone());
    let key: Vec<_> = key.map(|values| SortColumn { values, options: None }).collect();
    let order = lexsort_to_indices(&key, None).map_err(ContractError::Arrow)?;
    take_record_batch(&one, &order).map_err(ContractError::Arrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_schemas::Tables;
    use parquet::arrow::ArrowWriter;
    use proptest::prelude::*;

    const DAY: NaiveDate = NaiveDate::from_ymd_opt(2020, 1, 1).expect("a date");

    /// Rows of `panel_ratios` of these fighters, and zero or nothing of every metric.
    fn rows(fighters: &[u128], day: NaiveDate) -> RecordBatch {
        let n = fighters.len();
        let table = Tables::get().table("panel_ratios").unwrap();
        let ids: Vec<String> =
            fighters.iter().map(|n| format!("{:0>8}-0000-0000-0000-000000000000", n)).collect();
        let columns = table.columns.iter().map(|column| -> ArrayRef {
            match column.name.as_str() {
                "fighter_id" => Arc::new(arrow::array::StringArray::from(ids.clone())),
                "as_of" => Arc::new(Date32Array::from_value(Date32Type::from_naive_date(day), n)),
                name if name.ends_with("raw_value") => arrow::array::new_null_array(&DataType::Float64, n),
                _ => {
                    arrow::compute::cast(&arrow::array::Int32Array::from(vec![0; n]), &column.kind.to_arrow())
                        .unwrap()
                }
            }
        });
        RecordBatch::try_new(table.arrow_schema(), columns.collect()).unwrap()
    }

    fn write(path: &Path, batch: &RecordBatch) -> PathBuf {
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
        writer.write(batch).unwrap();
        fs::write(path, writer.into_inner().unwrap()).unwrap();
        path.to_owned()
    }

    fn read(files: &[PathBuf], rows: usize) -> Result<RecordBatch, LakeError> {
        read_foreign_partition(&ForeignPartition {
            table: "panel_ratios",
            column: "as_of",
            day: DAY,
            rows,
            files,
        })
    }

    fn without(batch: &RecordBatch, column: &str) -> RecordBatch {
        let keep = |(place, field): (usize, &Arc<Field>)| (field.name() != column).then_some(place);
        let places: Vec<usize> = batch.schema().fields().iter().enumerate().filter_map(keep).collect();
        batch.project(&places).unwrap()
    }

    #[test]
    fn files_without_the_partitions_column_and_in_any_order_are_the_rows_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("a", [4, 2]), ("b", [1, 3])].map(|(name, fighters)| {
            write(&folder.path().join(name), &without(&rows(&fighters, DAY), "as_of"))
        });
        assert_eq!(read(&files, 4).unwrap(), rows(&[1, 2, 3, 4], DAY));
        let whole = write(&folder.path().join("c"), &rows(&[2, 1], DAY));
        assert_eq!(read(&[whole], 2).unwrap(), rows(&[1, 2], DAY));
        assert_eq!(read(&[], 0).unwrap().num_rows(), 0);
    }

    #[test]
    fn what_does_not_follow_the_contract_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let refused = |batch: &RecordBatch, rows| match read(&[write(&path, batch)], rows) {
            Err(LakeError::Contract { source, .. }) => source,
            other => panic!("{other:?}"),
        };
        let two = rows(&[1, 2], DAY);
        assert!(matches!(refused(&two, 3), ContractError::Rows { expected: 3, found: 2 }));
        let other_day = rows(&[1], DAY.succ_opt().unwrap());
        assert!(matches!(refused(&other_day, 1), ContractError::Partition { .. }));
        assert!(matches!(refused(&rows(&[1, 1], DAY), 2), ContractError::Order { row: 1, .. }));
        let less = without(&two, "version");
        assert!(matches!(refused(&less, 2), ContractError::Missing { column } if column == "version"));
        let renamed: Vec<_> = two.schema().fields().iter().map(|f| f.as_ref().clone()).collect();
        let at = two.schema().index_of("version").unwrap();
        let mut fields = renamed.clone();
        fields[at] = Field::new("versions", DataType::Int32, false);
        let more = RecordBatch::try_new(Arc::new(Schema::new(fields)), two.columns().to_vec()).unwrap();
        assert!(matches!(refused(&more, 2), ContractError::Extra { column } if column == "versions"));
        let (mut fields, mut columns) = (renamed, two.columns().to_vec());
        fields[at] = Field::new("version", DataType::Int64, false);
        columns[at] = Arc::new(arrow::array::Int64Array::from(vec![0, 0]));
        let wide = RecordBatch::try_new(Arc::new(Schema::new(fields.clone())), columns.clone()).unwrap();
        assert!(matches!(refused(&wide, 2), ContractError::Type { column, .. } if column == "version"));
        fields[at] = Field::new("version", DataType::Int32, true);
        columns[at] = Arc::new(arrow::array::Int32Array::from(vec![Some(1), None]));
        let null = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
        assert!(matches!(refused(&null, 2), ContractError::Null { column, .. } if column == "version"));
        assert!(matches!(read(&[folder.path().to_owned()], 1), Err(LakeError::NotAFile { .. })));
        assert!(matches!(read(&[folder.path().join("none")], 1), Err(LakeError::Read { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever a file holds, reading ends with rows of the contract or with an error.
        #[test]
        fn damaged_files_are_read_or_refused_and_nothing_breaks(
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = write(&folder.path().join("x"), &rows(&[1, 2, 3], DAY));
            let mut bytes = fs::read(&path).unwrap();
            for (at, byte) in flips {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            fs::write(&path, bytes).unwrap();
            if let Ok(batch) = read(&[path], 3) {
                prop_assert_eq!(batch.num_rows(), 3);
            }
        }
    }
}
