//! Between record batches and Parquet bytes. Every setting is fixed, and a column's bytes depend on that column
//! alone, so that the same rows make the same bytes on however many threads.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch, RecordBatchReader as _, make_array};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{Field, Schema, SchemaRef};
use bytes::Bytes;
use fdna_schemas::{Column, ColumnType, Table};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::ChunkReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use crate::contract;
use crate::digest::sha256;
use crate::error::LakeError;
use crate::file_content::{FileContent, HashedContent};
use crate::manifest::TableEntry;
use crate::row_encoder::RowEncoder;

/// Small enough that an engine can skip groups by their statistics, large enough to compress well.
pub(crate) const ROWS_IN_GROUP: usize = 128 * 1024;

/// Level of zstd.
const LEVEL: i32 = 2;

/// Facts of fewer rows are not compressed.
const FEW_ROWS: usize = 1000;

/// A table as it will be written.
pub struct EncodedTable {
    pub(crate) entry: TableEntry,
    pub(crate) content: FileContent,
    /// Key of a file in the lake that has just been found to have these bytes.
    pub(crate) same_as: Option<String>,
}

/// Finds the contract of each table and makes its file by `encode`, sorted by name.
pub(crate) fn encode_all<T: Sync>(
    tables: &[(impl AsRef<str>, T)],
    encode: impl Fn(&Table, &T) -> Result<EncodedTable, LakeError> + Sync,
) -> Result<Vec<EncodedTable>, LakeError> {
    let contracts = contract::find_all(tables.iter().map(|(name, _)| name.as_ref()))?;
    let tables: Vec<_> = contracts.into_iter().zip(tables.iter().map(|(_, table)| table)).collect();
    let encoded = tables.into_par_iter().map(|(contract, table)| encode(contract, table));
    // Collected before any is looked at: which error is told must not depend on threads either.
    let encoded: Vec<_> = encoded.collect();
    let mut encoded = encoded.into_iter().collect::<Result<Vec<_>, _>>()?;
    encoded.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
    Ok(encoded)
}

/// Checks one table against its contract and encodes it.
pub(crate) fn encode_table(table: &Table, batch: &RecordBatch) -> Result<EncodedTable, LakeError> {
    encode_as(table, batch, default_compression())
}

pub(crate) fn default_compression() -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(LEVEL).unwrap_or_default())
}

/// As [`encode_table`], of facts: those of one capture are often a few rows, and to set up a decompressor for each column of
/// each of a thousand captures takes longer than to read them.
pub(crate) fn encode_facts(table: &Table, batch: &RecordBatch) -> Result<EncodedTable, LakeError> {
    if batch.num_rows() < FEW_ROWS {
        encode_as(table, batch, Compression::UNCOMPRESSED)
    } else {
        encode_table(table, batch)
    }
}

fn encode_as(
    table: &Table,
    batch: &RecordBatch,
    compression: Compression,
) -> Result<EncodedTable, LakeError> {
    let mut encoder = RowEncoder::new(table, compression)?;
    encoder.append_rows(batch)?;
    encoder.finish()
}

impl EncodedTable {
    pub(crate) fn new(table: &Table, rows: usize, bytes: Bytes) -> Self {
        let (sha256, length) = (sha256(&bytes), bytes.len() as u64);
        Self::from_hashed(table, rows, HashedContent { content: bytes.into(), sha256, bytes: length })
    }

    /// Of what is hashed already.
    pub(crate) fn from_hashed(table: &Table, rows: usize, written: HashedContent) -> Self {
        let entry = TableEntry {
            name: table.name.clone(),
            rows: rows as u64,
            bytes: written.bytes,
            sha256: written.sha256,
            contract_version: table.version,
        };
        Self { entry, content: written.content, same_as: None }
    }
}

/// A file of these columns of a table, and what makes their writers. The schema is the contract's, not that of the rows, which may
/// have dictionaries.
pub(crate) fn start_file<W: Write + Send>(
    table: &Table,
    columns: &[Column],
    schema: SchemaRef,
    compression: Compression,
    into: W,
) -> Result<(SerializedFileWriter<W>, ArrowRowGroupWriterFactory), ParquetError> {
    let properties = writer_properties(table, columns, compression);
    ArrowWriter::try_new(into, schema, Some(properties))?.into_serialized_writer()
}

/// A row group of these columns behind those that the file has.
pub(crate) fn append_row_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    columns: impl IntoIterator<Item = ArrowColumnChunk>,
) -> Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    for column in columns {
        column.append_to_row_group(&mut group)?;
    }
    group.close().map(drop)
}

/// The columns of a row group, shared out over threads: a table may have hundreds.
pub(crate) fn encode_columns(
    writers: Vec<ArrowColumnWriter>,
    schema: &Schema,
    rows: &RecordBatch,
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    let columns = schema.fields().par_iter().zip(rows.columns());
    let encoded = writers.into_par_iter().zip(columns);
    encoded.map(|(writer, (field, column))| encode_column(writer, field, column)).collect()
}

pub(crate) fn encode_column(
    mut writer: ArrowColumnWriter,
    field: &Field,
    column: &ArrayRef,
) -> Result<ArrowColumnChunk, ParquetError> {
    // A dictionary in memory is looked at in other pieces than texts: one that grows too large for the file would be given
    // up in another row, and the bytes would not be those of the same texts.
    let column = match column.data_type() == field.data_type() {
        true => Arc::clone(column),
        false => cast(column, field.data_type())?,
    };
    let column = drop_empty_nulls(column)?;
    // One, since no type of the contracts is nested.
    for leaf in compute_leaves(field, &column)? {
        writer.write(&leaf)?;
    }
    writer.close()
}

/// The column without a mask of nulls that masks none. The writer would make other bytes of it than of the same values without a
/// mask, and which of the two a piece of a table has depends on the piece.
fn drop_empty_nulls(column: ArrayRef) -> Result<ArrayRef, ParquetError> {
    if column.nulls().is_none_or(|nulls| nulls.null_count() > 0) {
        return Ok(column);
    }
    Ok(make_array(column.to_data().into_builder().nulls(None).build()?))
}

/// For a file of these columns of the table. One that travels alone says what it is; the Arrow schema in it has the meaning
/// of each column.
pub(crate) fn writer_properties(
    table: &Table,
    columns: &[Column],
    compression: Compression,
) -> WriterProperties {
    let notes = [
        ("fightdna.table", table.name.clone()),
        ("fightdna.contract_version", table.version.to_string()),
        ("fightdna.grain", table.grain.clone()),
        ("fightdna.key", table.key.join(",")),
        ("fightdna.meaning", table.meaning.clone()),
    ];
    let notes = notes.map(|(key, value)| KeyValue::new(key.to_owned(), value));
    let properties = WriterProperties::builder()
        // Without a version: a new release of a library must not change the bytes.
        .set_created_by("fightdna".to_owned())
        .set_compression(compression)
        .set_dictionary_enabled(true)
        .set_max_row_group_row_count(Some(ROWS_IN_GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(notes.into()));
    let properties = columns.iter().fold(properties, |properties, column| {
        encoded_as(properties, ColumnPath::from(column.name.as_str()), column.kind)
    });
    properties.build()
}

/// Measured on real DNA versions: measures hardly repeat, so that a dictionary of them costs time and room, and
/// counts grow from row to row, so that their differences are small. All else repeats.
fn encoded_as(
    properties: WriterPropertiesBuilder,
    column: ColumnPath,
    kind: ColumnType,
) -> WriterPropertiesBuilder {
    let encoding = match kind {
        ColumnType::Float64 => Encoding::PLAIN,
        ColumnType::Int64 => Encoding::DELTA_BINARY_PACKED,
        _ => return properties,
    };
    properties.set_column_dictionary_enabled(column.clone(), false).set_column_encoding(column, encoding)
}

/// Number of rows of a Parquet file.
pub(crate) fn count_rows<R: ChunkReader>(file: &R) -> Result<u64, ParquetError> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(file)?;
    Ok(u64::try_from(metadata.file_metadata().num_rows()).unwrap_or_default())
}

/// All rows of a Parquet file, with all columns or those of these names, in the order of the file.
pub(crate) fn decode_parquet<R: ChunkReader + 'static>(
    file: R,
    columns: Option<&[&str]>,
) -> Result<RecordBatch, ParquetError> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let columns = columns.map_or_else(ProjectionMask::all, |names| {
        ProjectionMask::columns(builder.parquet_schema(), names.iter().copied())
    });
    one_batch(builder.with_projection(columns))
}

/// Turns a panic into an error: the parquet crate panics on some damaged pages, which must be an error of
/// that file and not the end of the program.
pub(crate) fn catch_parquet_panic<T>(
    read: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(ParquetError::General("its bytes are damaged: the reader stopped".to_owned()))
    })
}

/// Every row in one batch: nothing is copied to join several.
pub(crate) fn one_batch<R: ChunkReader + 'static>(
    builder: ParquetRecordBatchReaderBuilder<R>,
) -> Result<RecordBatch, ParquetError> {
    let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or_default();
    batch_of(builder, rows)
}

/// The same of so many rows at most: room is made for them and no more.
pub(crate) fn batch_of<R: ChunkReader + 'static>(
    builder: ParquetRecordBatchReaderBuilder<R>,
    rows: usize,
) -> Result<RecordBatch, ParquetError> {
    let reader = builder.with_batch_size(rows.max(1)).build()?;
    // Without the notes on the file: a table is equal to what was written.
    let schema = Arc::new(Schema::new(reader.schema().fields().clone()));
    let mut batches = reader.collect::<Result<Vec<_>, _>>()?;
    match batches.pop() {
        Some(only) if batches.is_empty() => Ok(only.with_schema(schema)?),
        last => Ok(concat_batches(&schema, batches.iter().chain(&last))?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::events;
    use arrow::datatypes::{DataType, Metadata};
    use proptest::prelude::*;

    #[test]
    fn a_reader_that_stops_at_damaged_pages_is_an_error_of_the_file() {
        let read = catch_parquet_panic::<()>(|| panic!("offset + len out of bounds"));
        assert!(read.unwrap_err().to_string().contains("its bytes are damaged"));
        assert_eq!(catch_parquet_panic(|| Ok(1)).unwrap(), 1);
    }

    #[test]
    fn the_same_rows_make_the_same_bytes_also_from_a_slice_and_with_other_metadata() {
        let table = contract::find_contract("statsdb_events").unwrap();
        let slice = events(&["a", "b", "c"]).slice(1, 2);
        let encoded = encode_table(table, &slice).unwrap();
        let copied = decode_parquet(encoded.content.to_bytes(), None).unwrap();
        let fields = slice
            .schema()
            .fields()
            .iter()
            .map(|f| f.as_ref().clone().with_metadata(Metadata::default()))
            .collect::<Vec<_>>();
        let bare = RecordBatch::try_new(Arc::new(Schema::new(fields)), slice.columns().to_vec()).unwrap();
        for other in [slice, copied, bare] {
            assert_eq!(encode_table(table, &other).unwrap().content.to_bytes(), encoded.content.to_bytes());
        }
        assert_ne!(encode_table(table, &events(&["b", "d"])).unwrap().entry.sha256, encoded.entry.sha256);
    }

    /// A table with a column of each type that has an encoding of its own, and that many rows.
    fn mixed(rows: i32) -> (Table, RecordBatch) {
        let table = Table::parse(
            "t",
            "name='t'\nstage='facts'\nversion=1\ngrain='g'\nkey=['k']\nmeaning='m'\nhistory=[]\n\
             [[column]]\nname='k'\ntype='int32'\nmeaning='key'\nunit='s'\n\
             [[column]]\nname='v'\ntype='string'\nmeaning='value'\nnull_means='none'\n\
             [[column]]\nname='n'\ntype='int64'\nmeaning='count'\n\
             [[column]]\nname='f'\ntype='float64'\nmeaning='measure'\nnull_means='none'",
        );
        let table = table.unwrap();
        let batch = fdna_schemas::TableWriter::new(&table)
            .int32s("k", (0..rows).map(Some))
            .strings("v", (0..rows).map(|i| (i % 2 == 0).then(|| format!("{}", i % 7))))
            .int64s("n", (0..rows).map(|i| Some(i64::from(i) * 3)))
            .floats("f", (0..rows).map(|i| (i % 5 > 0).then(|| f64::from(i).sqrt())));
        let batch = batch.finish().unwrap();
        (table, batch)
    }

    #[test]
    fn these_bytes_have_not_changed_since_this_data_format_began() {
        // If this fails, the same facts give other snapshot ids than before: raise `DATA_FORMAT`.
        let (table, batch) = mixed(100);
        let encoded = encode_table(&table, &batch).unwrap();
        assert_eq!(encoded.entry.sha256, "d9924fd71b8e1c355c8f8f09f47938b13b4910a4448fc2c9be8d69da1ab334ca");
    }

    #[test]
    fn the_bytes_are_the_same_on_any_number_of_threads_and_those_of_the_plain_writer() {
        let (table, batch) = mixed(i32::try_from(ROWS_IN_GROUP).unwrap() + 5);
        let encoded = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| encode_table(&table, &batch)).unwrap().content.to_bytes()
        };
        let properties = writer_properties(&table, &table.columns, default_compression());
        let mut plain = ArrowWriter::try_new(Vec::new(), table.arrow_schema(), Some(properties)).unwrap();
        plain.write(&batch).unwrap();
        let plain = plain.into_inner().unwrap();
        // Compared with `==`: half a megabyte of digits helps nobody.
        assert!(encoded(1) == plain && encoded(4) == plain);
        assert_eq!(decode_parquet(Bytes::from(plain), None).unwrap(), batch);
    }

    #[test]
    fn a_dictionary_in_memory_makes_the_same_bytes_as_its_texts() {
        let (table, batch) = mixed(100);
        let place = table.place("v").unwrap();
        let text = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        // Sliced, so that the values are not in the order of the rows.
        let halves = [batch.slice(50, 50), batch.slice(0, 50)].map(|half| half.column(place).clone());
        let turned = arrow::compute::concat(&[&halves[0], &halves[1], &halves[0]]).unwrap();
        let dictionary = arrow::compute::cast(&turned, &text).unwrap().slice(50, 100);
        let mut columns = batch.columns().to_vec();
        columns[place] = dictionary;
        let fields = batch
            .schema()
            .fields()
            .iter()
            .zip(&columns)
            .map(|(field, column)| field.as_ref().clone().with_data_type(column.data_type().clone()))
            .collect::<Vec<_>>();
        let other = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
        let encoded = encode_table(&table, &other).unwrap().content.to_bytes();
        assert!(encoded == encode_table(&table, &batch).unwrap().content.to_bytes());
        assert_eq!(decode_parquet(encoded, None).unwrap(), batch);
    }

    #[test]
    fn a_dictionary_in_memory_that_is_too_large_for_one_in_the_file_makes_the_same_bytes() {
        let table = Table::parse(
            "t",
            "name='t'\nstage='facts'\nversion=1\ngrain='g'\nkey=['k']\nmeaning='m'\nhistory=[]\n\
             [[column]]\nname='k'\ntype='string'\nmeaning='key'",
        );
        let table = table.unwrap();
        let texts: Vec<String> = (0..40_000).map(|i| format!("{i:0>36}")).collect();
        let batch = fdna_schemas::TableWriter::new(&table).texts("k", &texts).finish().unwrap();
        let text = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let dictionary = arrow::compute::cast(batch.column(0), &text).unwrap();
        let schema = Schema::new(vec![Field::new("k", text, false)]);
        let other = RecordBatch::try_new(Arc::new(schema), vec![dictionary]).unwrap();
        let encoded = encode_table(&table, &batch).unwrap().content.to_bytes();
        assert!(encode_table(&table, &other).unwrap().content.to_bytes() == encoded);
    }

    #[test]
    fn floats_are_plain_counts_are_differences_and_the_rest_has_a_dictionary() {
        let (table, batch) = mixed(100);
        let bytes = encode_table(&table, &batch).unwrap().content.to_bytes();
        assert_eq!(count_rows(&bytes).unwrap(), 100);
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes).unwrap();
        let has = |at: usize, encoding| metadata.row_group(0).column(at).encodings().any(|e| e == encoding);
        let rows = [Encoding::RLE_DICTIONARY, Encoding::DELTA_BINARY_PACKED]
            .map(|e| [0, 1, 2, 3].map(|at| has(at, e)));
        assert_eq!(rows, [[true, true, false, false], [false, false, true, false]]);
        assert!(has(3, Encoding::PLAIN));
    }

    #[test]
    fn a_file_says_what_it_is() {
        let table = contract::find_contract("statsdb_events").unwrap();
        let bytes = encode_table(table, &events(&["a"])).unwrap().content.to_bytes();
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
        let file = builder.metadata().file_metadata();
        assert_eq!(file.created_by(), Some("fightdna"));
        let notes = file.key_value_metadata().unwrap();
        assert!(notes.iter().any(|n| n.key == "fightdna.grain" && n.value.as_deref() == Some(&*table.grain)));
        let field = builder.schema().field_with_name("event").unwrap().clone();
        assert_eq!(
            field.metadata().get("meaning").map(|m| &**m),
            Some("name as written, outer spaces removed")
        );
    }

    #[test]
    fn many_row_groups_read_as_one_batch() {
        let ids: Vec<_> = (0..ROWS_IN_GROUP + 5).map(|i| format!("{i:07}")).collect();
        let table = contract::find_contract("statsdb_events").unwrap();
        let batch = events(&ids);
        assert_eq!(
            decode_parquet(encode_table(table, &batch).unwrap().content.to_bytes(), None).unwrap(),
            batch
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn random_small_tables_survive(ids in prop::collection::btree_set(".{0,12}", 0..40)) {
            let ids: Vec<_> = ids.into_iter().collect();
            let batch = events(&ids);
            let table = contract::find_contract("statsdb_events").unwrap();
            let encoded = encode_table(table, &batch).unwrap();
            prop_assert_eq!(encoded.entry.rows, ids.len() as u64);
            prop_assert_eq!(decode_parquet(encoded.content.to_bytes(), None).unwrap(), batch);
        }
    }
}
