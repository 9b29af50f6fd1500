//! Between record batches and Parquet bytes. Every setting is fixed, so that the same rows make the same bytes.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::Schema;
use bytes::Bytes;
use fdna_schemas::Table;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::contract;
use crate::digest::sha256;
use crate::error::LakeError;
use crate::manifest::TableEntry;

/// Small enough that an engine can skip groups by their statistics, large enough to compress well.
const ROWS_IN_GROUP: usize = 128 * 1024;

/// A table as it will be written.
pub(crate) struct Encoded {
    pub(crate) entry: TableEntry,
    pub(crate) bytes: Bytes,
}

/// Checks the tables against their contracts and encodes them, sorted by name.
pub(crate) fn encode_all<'a>(
    tables: impl Iterator<Item = (&'a str, &'a RecordBatch)> + Clone,
) -> Result<Vec<Encoded>, LakeError> {
    let contracts = contract::find_all(tables.clone().map(|(name, _)| name))?;
    let encoded = contracts.into_iter().zip(tables).map(|(table, (_, batch))| encode(table, batch));
    let mut encoded = encoded.collect::<Result<Vec<_>, _>>()?;
    encoded.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
    Ok(encoded)
}

/// Checks one table against its contract and encodes it.
pub(crate) fn encode(table: &Table, batch: &RecordBatch) -> Result<Encoded, LakeError> {
    let batch = contract::conform(table, batch).map_err(|source| contract::refuse(&table.name, source))?;
    let bytes = to_parquet(table, &batch)
        .map_err(|source| LakeError::Encode { table: table.name.clone(), source })?;
    let entry = TableEntry {
        name: table.name.clone(),
        rows: batch.num_rows() as u64,
        bytes: bytes.len() as u64,
        sha256: sha256(&bytes),
        contract_version: table.version,
    };
    Ok(Encoded { entry, bytes })
}

fn to_parquet(table: &Table, batch: &RecordBatch) -> Result<Bytes, ParquetError> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties(table)?))?;
    writer.write(batch)?;
    Ok(writer.into_inner()?.into())
}

/// A file that travels alone says what it is; the Arrow schema in it has the meaning of each column.
fn properties(table: &Table) -> Result<WriterProperties, ParquetError> {
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
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_dictionary_enabled(true)
        .set_max_row_group_row_count(Some(ROWS_IN_GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(notes.into()));
    Ok(properties.build())
}

/// All rows of a Parquet file.
pub(crate) fn decode(bytes: Bytes) -> Result<RecordBatch, ParquetError> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes)?;
    let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or_default();
    // Without the notes on the file: a table is equal to what was written.
    let schema = Arc::new(Schema::new(builder.schema().fields().clone()));
    // One batch as large as the file: nothing is copied to join them.
    let reader = builder.with_batch_size(rows.max(1)).build()?;
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    Ok(concat_batches(&schema, &batches)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::events;
    use arrow::datatypes::Metadata;
    use proptest::prelude::*;

    #[test]
    fn the_same_rows_make_the_same_bytes_also_from_a_slice_and_with_other_metadata() {
        let table = contract::find("statsdb_events").unwrap();
        let slice = events(&["a", "b", "c"]).slice(1, 2);
        let encoded = encode(table, &slice).unwrap();
        let copied = decode(encoded.bytes.clone()).unwrap();
        let fields = slice
            .schema()
            .fields()
            .iter()
            .map(|f| f.as_ref().clone().with_metadata(Metadata::default()))
            .collect::<Vec<_>>();
        let bare = RecordBatch::try_new(Arc::new(Schema::new(fields)), slice.columns().to_vec()).unwrap();
        for other in [slice, copied, bare] {
            assert_eq!(encode(table, &other).unwrap().bytes, encoded.bytes);
        }
        assert_ne!(encode(table, &events(&["b", "d"])).unwrap().entry.sha256, encoded.entry.sha256);
    }

    #[test]
    fn these_bytes_have_not_changed_since_this_data_format_began() {
        // If this fails, the same facts give other snapshot ids than before: raise `DATA_FORMAT`.
        let table = Table::parse(
            "t",
            "name='t'\nstage='facts'\nversion=1\ngrain='g'\nkey=['k']\nmeaning='m'\nhistory=[]\n\
             [[column]]\nname='k'\ntype='int32'\nmeaning='key'\nunit='s'\n\
             [[column]]\nname='v'\ntype='string'\nmeaning='value'\nnull_means='none'",
        );
        let table = table.unwrap();
        let batch = fdna_schemas::TableWriter::new(&table)
            .int32s("k", [Some(1), Some(2)])
            .strings("v", [Some("x"), None]);
        let encoded = encode(&table, &batch.finish().unwrap()).unwrap();
        assert_eq!(encoded.entry.sha256, "866816601e06cc5bf7c33ee9f6a4d87a2035baafb8584a0adb0ffe042258f26f");
    }

    #[test]
    fn a_file_says_what_it_is() {
        let table = contract::find("statsdb_events").unwrap();
        let bytes = encode(table, &events(&["a"])).unwrap().bytes;
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
        let table = contract::find("statsdb_events").unwrap();
        let batch = events(&ids);
        assert_eq!(decode(encode(table, &batch).unwrap().bytes).unwrap(), batch);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn random_small_tables_survive(ids in prop::collection::btree_set(".{0,12}", 0..40)) {
            let ids: Vec<_> = ids.into_iter().collect();
            let batch = events(&ids);
            let table = contract::find("statsdb_events").unwrap();
            let encoded = encode(table, &batch).unwrap();
            prop_assert_eq!(encoded.entry.rows, ids.len() as u64);
            prop_assert_eq!(decode(encoded.bytes).unwrap(), batch);
        }
    }
}
