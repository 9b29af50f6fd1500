//! A table that stays in its file.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{AsArray as _, RecordBatch, StringArray};
use fdna_api::ErrorCode;
use fdna_catalog::{
    CatalogSnapshot, CatalogTable, PagedTable, RowSource, StoredTable, TableEntry, TableReader, TablesError,
};

use fdna_schemas::Table;

use super::league::{catalog, contract, day, of_tables, snapshot, tables};

/// Rows of a table as if of a file; none, if it is to fail.
#[derive(Debug)]
struct BatchRows(Option<RecordBatch>);

impl RowSource for BatchRows {
    fn rows(
        &self,
        rows: std::ops::Range<u32>,
    ) -> Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>> {
        let batch = self.0.as_ref().ok_or("the file is gone")?;
        Ok(batch.slice(rows.start as usize, rows.len()))
    }
}

/// The snapshot with one of its tables in a file.
fn in_file(is_there: bool) -> CatalogSnapshot {
    let [games, players, (contract, metrics), profiles] = tables();
    let subjects: StringArray = metrics.column(0).as_string().clone();
    let table =
        PagedTable::new(contract, &subjects, Box::new(BatchRows(is_there.then_some(metrics)))).unwrap();
    let kept = [games, players, profiles]
        .map(|(contract, rows)| StoredTable::InMemory(CatalogTable::new(catalog(), contract, rows).unwrap()));
    of_tables(kept.into_iter().chain([StoredTable::InFile(table)]).collect())
}

#[test]
fn a_table_in_its_file_answers_as_one_in_memory() {
    assert!(catalog().asks_by_subject(contract("t_metrics").unwrap()));
    assert!(!catalog().asks_by_subject(contract("t_games").unwrap()), "its lists are of many games");
    let (read, gone) = (in_file(true), in_file(false));
    let today = day("2024-10-08");
    for address in [
        "/t/player/p1",
        "/t/player/p2/numbers",
        "/t/player/p3/numbers",
        "/t/player/p1/metrics",
        "/t/player/p3/metrics",
        "/t/player/p1/metrics?as_of=2024-01-31",
        "/t/player/p1/metrics?min_confidence=medium",
        "/t/player/p9/metrics",
    ] {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let answer = |snapshot: &CatalogSnapshot| {
            let answer = catalog().find(path).unwrap().answer(query, snapshot, today);
            answer
                .map(|answer| (String::from_utf8(answer.data).unwrap(), answer.meta))
                .map_err(|failure| failure.code)
        };
        assert_eq!(answer(&read), answer(snapshot()), "{address}");
        let is_unknown = address.contains("p9");
        assert_eq!(answer(&gone).unwrap_err() == ErrorCode::Internal, !is_unknown, "{address}");
    }
    assert_eq!(read.tables.rows_of("t"), snapshot().tables.rows_of("t"));
}

#[test]
fn rows_that_do_not_stand_by_subject_are_no_such_table() {
    let table = |subjects: StringArray| {
        PagedTable::new(contract("t_metrics").unwrap(), &subjects, Box::new(BatchRows(None)))
    };
    assert!(table(StringArray::from(vec!["a", "a", "b"])).is_some());
    assert!(table(StringArray::from(vec!["b", "a"])).is_none());
    assert!(table(StringArray::from(vec![Some("a"), None])).is_none());
}

/// A table that can be read from the second time on, and how often that was tried.
#[derive(Debug)]
struct LateTable(&'static Table, RecordBatch, Arc<AtomicUsize>);

impl TableReader for LateTable {
    fn read(&self) -> Result<StoredTable, TablesError> {
        let Self(table, rows, reads) = self;
        if reads.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(TablesError::Read { table: &table.name, source: "the file is damaged".into() });
        }
        Ok(StoredTable::InMemory(CatalogTable::new(catalog(), table, rows.clone())?))
    }
}

#[test]
fn a_table_is_read_when_a_route_first_asks_for_it_and_one_that_cannot_be_is_damage() {
    let reads: [Arc<AtomicUsize>; 4] = Default::default();
    let entries = tables().into_iter().zip(&reads).map(|((contract, rows), reads)| {
        let n = rows.num_rows() as u64;
        TableEntry::unread(contract, n, Box::new(LateTable(contract, rows, Arc::clone(reads))))
    });
    let late = of_tables(entries.collect());
    assert_eq!(late.tables.rows_of("t"), snapshot().tables.rows_of("t"));
    let answer = |snapshot| {
        let answer = catalog().find("/t/player/p1/metrics").unwrap().answer("", snapshot, day("2024-10-08"));
        answer.map(|answer| answer.data)
    };
    let mut failures = 0;
    let made = loop {
        match answer(&late) {
            Ok(made) => break made,
            Err(failure) => assert!(failure.is_damage, "{}", failure.message),
        }
        failures += 1;
    };
    assert_eq!(made, answer(snapshot()).unwrap());
    answer(&late).unwrap();
    let count: Vec<usize> = reads.iter().map(|reads| reads.load(Ordering::Relaxed)).collect();
    assert!(count.contains(&0) && count.iter().all(|n| [0, 2].contains(n)), "{count:?}");
    assert_eq!(failures, count.iter().filter(|n| **n == 2).count());
}
