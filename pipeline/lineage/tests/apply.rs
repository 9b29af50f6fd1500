//! What the older version of a table and the difference come to: the newer version, byte for byte as the lake writes it.

use std::collections::BTreeMap;
use std::convert::Infallible;

use arrow::array::RecordBatch;
use chrono::{DateTime, Days, NaiveDate, Utc};
use fdna_lake::{Fingerprint, Lake, PipelineStage};
use fdna_lineage::{RowBatches, Side, SnapshotDiff, SnapshotPair, SnapshotTables, TableState, cell_json};
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{Column, ColumnType, RowBuilder, Table, Tables};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::{Map, Value, json};

/// Tables with columns of every type, with keys of one to four columns, of facts and of derived values.
const TABLES: [&str; 6] =
    ["bouts", "corrections", "round_profiles", "ratings", "stated_careers", "statsdb_ids_fighters"];

/// Two versions of one table, read in pieces of these sizes.
#[derive(Debug)]
struct Versions {
    table: &'static Table,
    both: [RecordBatch; 2],
    pieces: [usize; 2],
}

impl SnapshotTables for Versions {
    type Error = Infallible;

    fn names(&self, _: Side) -> Vec<String> {
        vec![self.table.name.clone()]
    }

    fn state(&self, side: Side, table: &str) -> Option<TableState> {
        let rows = self.of(side).num_rows() as u64;
        let state = TableState { rows, contract_version: self.table.version, sha256: format!("{side:?}") };
        (table == self.table.name).then_some(state)
    }

    fn rows(
        &self,
        side: Side,
        _: &str,
        columns: Option<&[&str]>,
    ) -> Result<RowBatches<Infallible>, Infallible> {
        let rows = self.of(side);
        let places =
            columns.map(|names| names.iter().filter_map(|name| rows.schema().index_of(name).ok()).collect());
        let rows = places.map_or_else(|| rows.clone(), |places: Vec<usize>| rows.project(&places).unwrap());
        let size = self.pieces[side as usize];
        let starts = (0..rows.num_rows()).step_by(size);
        Ok(Box::new(starts.map(move |at| Ok(rows.slice(at, size.min(rows.num_rows() - at))))))
    }
}

impl Versions {
    fn of(&self, side: Side) -> &RecordBatch {
        &self.both[side as usize]
    }
}

type Cells = Map<String, Value>;

fn key_of(table: &Table, cells: &Cells) -> String {
    table.key.iter().map(|column| cells[column].to_string()).collect::<Vec<_>>().join(",")
}

fn cells_by_key(table: &Table, rows: &RecordBatch) -> BTreeMap<String, Cells> {
    let cells = |row| -> Cells {
        let columns = table.columns.iter().zip(rows.columns());
        columns.map(|(column, cells)| (column.name.clone(), cell_json(cells, row))).collect()
    };
    (0..rows.num_rows()).map(cells).map(|cells| (key_of(table, &cells), cells)).collect()
}

/// The rows of the older version with the difference, which is read as JSON.
fn apply(versions: &Versions) -> BTreeMap<String, Cells> {
    let table = versions.table;
    let mut rows = cells_by_key(table, versions.of(Side::Old));
    let diff = SnapshotDiff::new(versions, SnapshotPair::default()).unwrap();
    let (mut counts, mut cells) = ([0; 3], 0);
    let summary = diff.compare(&table.name, |chunk| {
        for row in chunk.rows(&table.key) {
            let row = serde_json::to_value(row).unwrap();
            let key = key_of(table, row["key"].as_object().unwrap());
            match row["change"].as_str().unwrap() {
                "appeared" => {
                    assert!(rows.insert(key, row["cells"].as_object().unwrap().clone()).is_none());
                    counts[0] += 1;
                }
                "gone" => {
                    assert_eq!(rows.remove(&key).map(Value::Object).as_ref(), Some(&row["cells"]));
                    counts[1] += 1;
                }
                _ => {
                    let there = rows.get_mut(&key).unwrap();
                    for cell in row["cells"].as_array().unwrap() {
                        let was =
                            there.insert(cell["column"].as_str().unwrap().to_owned(), cell["new"].clone());
                        assert_eq!(was.as_ref(), Some(&cell["old"]));
                        assert_ne!(cell["old"].to_string(), cell["new"].to_string());
                        assert!(!cell["causes"].as_array().unwrap().is_empty());
                        cells += 1;
                    }
                    counts[2] += 1;
                }
            }
        }
        Ok(())
    });
    let summary = summary.unwrap();
    assert_eq!(([summary.appeared, summary.gone, summary.changed], summary.cells), (counts, cells));
    rows
}

/// The rows as a table, in order of the key.
fn to_batch(table: &'static Table, rows: impl IntoIterator<Item = Cells>) -> RecordBatch {
    let mut rows: Vec<Cells> = rows.into_iter().collect();
    rows.sort_by_cached_key(|cells| table.key.iter().map(|name| sortable(&cells[name])).collect::<Vec<_>>());
    let mut builder = RowBuilder::new(table);
    for cells in &rows {
        builder.push_values(table.columns.iter().map(|column| to_value(column, &cells[&column.name])));
    }
    builder.finish().unwrap()
}

fn sortable(value: &Value) -> (i64, String) {
    (value.as_i64().unwrap_or_default(), value.as_str().unwrap_or_default().to_owned())
}

fn to_value<'v>(column: &Column, value: &'v Value) -> ColumnValue<'v> {
    let text = value.as_str().unwrap_or_default();
    match (value, column.kind) {
        (Value::Null, _) => ColumnValue::Null,
        (_, ColumnType::Int32) => ColumnValue::Int32(value.as_i64().unwrap().try_into().unwrap()),
        (_, ColumnType::Int64) => ColumnValue::Int64(value.as_i64().unwrap()),
        (_, ColumnType::Float64) => ColumnValue::Float64(value.as_f64().unwrap()),
        (_, ColumnType::Bool) => ColumnValue::Bool(value.as_bool().unwrap()),
        (_, ColumnType::Date) => ColumnValue::Date(text.parse().unwrap()),
        (_, ColumnType::Instant) => ColumnValue::Instant(text.parse::<DateTime<Utc>>().unwrap()),
        _ => ColumnValue::Text(text),
    }
}

/// A value of a column, one of few, so that rows of two versions meet.
fn value(column: &Column) -> BoxedStrategy<Value> {
    let day = |n: u64| NaiveDate::from_ymd_opt(2020, 1, 1).unwrap().checked_add_days(Days::new(n)).unwrap();
    let some: BoxedStrategy<Value> = match column.kind {
        ColumnType::Uuid => {
            (0..6_u32).prop_map(|n| json!(format!("{n:08x}-0000-4000-8000-000000000000"))).boxed()
        }
        ColumnType::Int32 | ColumnType::Int64 => (-2..4_i32).prop_map(|n| json!(n)).boxed(),
        ColumnType::Float64 => prop_oneof![
            Just(0.0),
            Just(-0.0),
            Just(1.5),
            any::<f64>().prop_filter("finite", |n| n.is_finite())
        ]
        .prop_map(|n| json!(n))
        .boxed(),
        ColumnType::Bool => any::<bool>().prop_map(|is| json!(is)).boxed(),
        ColumnType::Date => (0..5_u64).prop_map(move |n| json!(day(n))).boxed(),
        ColumnType::Instant => (0..5_u64)
            .prop_map(move |n| json!(day(n).and_hms_opt(12, 0, 0).unwrap().and_utc().to_rfc3339()))
            .boxed(),
        _ => prop_oneof!["[a-c]{0,2}", "\\PC{0,4}"].prop_map(|text| json!(text)).boxed(),
    };
    if column.is_nullable() { prop_oneof![1 => Just(Value::Null), 3 => some].boxed() } else { some }
}

fn row(table: &'static Table) -> BoxedStrategy<Cells> {
    let cells: Vec<_> = table.columns.iter().map(value).collect();
    let names = table.columns.iter().map(|column| column.name.clone());
    let names: Vec<String> = names.collect();
    cells.prop_map(move |cells| names.iter().cloned().zip(cells).collect()).boxed()
}

/// Two versions of a table that share some rows, with some of their cells changed.
fn versions() -> impl Strategy<Value = Versions> {
    let table = prop::sample::select(TABLES.to_vec()).prop_map(|name| Tables::get().table(name).unwrap());
    let rows = table.prop_flat_map(|table| {
        let rows = prop::collection::vec((row(table), row(table), 0..5_u8, 0..table.columns.len()), 0..30);
        (Just(table), rows, [1..7_usize, 1..7])
    });
    rows.prop_map(|(table, rows, pieces)| {
        let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
        for (cells, other, fate, at) in rows {
            let mut changed = cells.clone();
            let column = &table.columns[at].name;
            if !table.key.contains(column) {
                changed[column] = other[column].clone();
            }
            let key = key_of(table, &cells);
            if fate != 0 {
                old.insert(key.clone(), cells.clone());
            }
            if fate != 1 {
                new.insert(key, if fate == 2 { changed } else { cells });
            }
        }
        let both = [old, new].map(|rows| to_batch(table, rows.into_values()));
        Versions { table, both, pieces }
    })
}

/// SHA-256 of a table as the lake writes it.
fn written(lake: &Lake, table: &Table, rows: &RecordBatch, name: &str) -> String {
    let writer = lake.writer("test", DateTime::UNIX_EPOCH).unwrap();
    let fingerprint = Fingerprint::builder("test").with_text("version", name).build();
    let tables = [(table.name.as_str(), rows.clone())];
    let output = writer.commit_stage(&PipelineStage::Normalised, &fingerprint, &tables, json!({})).unwrap();
    output.tables[0].sha256.clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_older_version_and_the_difference_are_the_newer_version(versions in versions()) {
        let applied = to_batch(versions.table, apply(&versions).into_values());
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path());
        let [expected, found] = [(versions.of(Side::New), "new"), (&applied, "applied")]
            .map(|(rows, name)| written(&lake, versions.table, rows, name));
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_version_beside_itself_has_no_difference_however_it_is_read() {
    let table = Tables::get().table("ratings").unwrap();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let rows = prop::collection::btree_map(0..1000, row(table), 40).new_tree(&mut runner).unwrap().current();
    let rows: BTreeMap<String, Cells> =
        rows.into_values().map(|cells| (key_of(table, &cells), cells)).collect();
    let rows = to_batch(table, rows.into_values());
    let versions = Versions { table, both: [rows.clone(), rows], pieces: [3, 7] };
    let diff = SnapshotDiff::new(&versions, SnapshotPair::default()).unwrap();
    let summary = diff.compare("ratings", |_| panic!("nothing differs")).unwrap();
    assert!(summary.is_same());
}
