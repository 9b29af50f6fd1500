//! A table that stays in its file.

use arrow::array::{AsArray as _, RecordBatch, StringArray};
use fdna_api::ErrorCode;
use fdna_catalog::{CatalogSnapshot, CatalogTable, PagedTable, RowSource, StoredTable};

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
