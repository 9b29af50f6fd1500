//! `/changes`: what was corrected since a day.

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_catalog::{CatalogSnapshot, CatalogTables, RouteCatalog};
use fdna_schemas::{TableWriter, Tables};
use serde_json::{Value, json};

fn rows(corrections: &[(&str, &str)]) -> RecordBatch {
    let table = Tables::get().table("nhl_corrections").unwrap();
    let texts = |value: &'static str| corrections.iter().map(move |_| value);
    let times = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap());
    TableWriter::new(table)
        .texts("facts_table", corrections.iter().map(|(table, _)| *table))
        .texts("row_key", texts("a / 1"))
        .texts("column_name", texts("w"))
        .texts("old", texts("3"))
        .texts("new", texts("4"))
        .instants("old_first_seen_at", corrections.iter().map(|_| times("2024-01-01T00:00:00Z")))
        .instants("old_last_seen_at", corrections.iter().map(|_| times("2024-01-01T00:00:00Z")))
        .instants("replaced_at", corrections.iter().map(|(_, at)| times(at)))
        .texts("replaced_by", texts("c"))
        .finish()
        .unwrap()
}

fn snapshot(corrections: &[(&str, &str)]) -> CatalogSnapshot {
    let tables = [(Tables::get().table("nhl_corrections").unwrap(), rows(corrections))];
    let tables = CatalogTables::new(RouteCatalog::get().unwrap(), tables).unwrap();
    CatalogSnapshot { tables, ..CatalogSnapshot::default() }
}

fn get(query: &str, served: &CatalogSnapshot) -> Value {
    let found = RouteCatalog::get().unwrap().find_changes(query).unwrap();
    let answer = found.answer(query, served, NaiveDate::MIN).unwrap();
    serde_json::from_slice(&answer.data).unwrap()
}

#[test]
fn corrections_since_a_day_stand_newest_first() {
    let served = snapshot(&[
        ("nhl_boxes", "2024-02-01T23:59:59.999Z"),
        ("nhl_clubs", "2024-02-02T00:00:00Z"),
        ("nhl_boxes", "2024-03-01T09:00:00Z"),
    ]);
    let times = |query: &str| {
        let rows = get(query, &served);
        let times =
            rows.as_array().unwrap().iter().map(|row| row["replaced_at"].as_str().unwrap()[5..10].to_owned());
        times.collect::<Vec<_>>()
    };
    assert_eq!(times("sport=nhl"), ["03-01", "02-02", "02-01"]);
    assert_eq!(times("sport=nhl&since=2024-02-02"), ["03-01", "02-02"]);
    assert_eq!(times("sport=nhl&table=nhl_clubs&limit=1"), ["02-02"]);
    assert_eq!(get("sport=nhl&limit=1", &served)[0]["new"], "4");
}

#[test]
fn that_nothing_was_corrected_is_an_empty_list_and_no_table_is_503() {
    assert_eq!(get("sport=nhl", &snapshot(&[])), json!([]));
    let catalog = RouteCatalog::get().unwrap();
    let found = catalog.find_changes("sport=nba").unwrap();
    let failure = found.answer("sport=nba", &snapshot(&[]), NaiveDate::MIN).unwrap_err();
    assert_eq!(failure.code.name(), "sport_not_published");
    for wrong in ["", "sport=golf", "sport=nhl&since=1", "sport=nhl&to=2024-01-01"] {
        assert_eq!(catalog.find_changes(wrong).unwrap_err().code.name(), "invalid_parameter", "{wrong}");
    }
    for sport in &catalog.sports {
        assert!(catalog.find_changes(&format!("sport={}", sport.key)).is_ok());
    }
}

#[test]
fn a_stream_has_the_rows_of_the_page_oldest_first_whatever_their_order() {
    let corrections = [
        ("nhl_boxes", "2024-03-01T09:00:00Z"),
        ("nhl_clubs", "2024-02-02T00:00:00Z"),
        ("nhl_boxes", "2024-02-02T00:00:00Z"),
    ];
    let catalog = RouteCatalog::get().unwrap();
    let lines = catalog.correction_rows("nhl", rows(&corrections)).unwrap();
    let told: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown = |row: &Value| {
        format!("{} {}", row["facts_table"].as_str().unwrap(), &row["replaced_at"].as_str().unwrap()[5..10])
    };
    assert_eq!(
        told.iter().map(shown).collect::<Vec<_>>(),
        ["nhl_boxes 02-02", "nhl_clubs 02-02", "nhl_boxes 03-01"]
    );
    let page = get("sport=nhl", &snapshot(&corrections));
    assert!(told.iter().all(|row| page.as_array().unwrap().contains(row)), "{page}");
    assert_eq!(catalog.correction_rows("golf", rows(&corrections)).unwrap().len(), 0);
}

#[test]
fn a_stream_is_of_a_sport_that_has_corrections() {
    let (catalog, served) = (RouteCatalog::get().unwrap(), snapshot(&[]));
    let found = |query: &str| catalog.find_changes_stream(query, Some(&served));
    assert_eq!(found("sport=nhl").unwrap(), ("nhl", None));
    assert_eq!(found("sport=nhl&last_event_id=a").unwrap(), ("nhl", Some("a".to_owned())));
    for wrong in ["", "sport=golf", "sport=nhl&since=2024-01-01", "sport=nhl&limit=1"] {
        assert_eq!(found(wrong).unwrap_err().code.name(), "invalid_parameter", "{wrong}");
    }
    for unpublished in [found("sport=nba"), catalog.find_changes_stream("sport=nhl", None)] {
        assert_eq!(unpublished.unwrap_err().code.name(), "sport_not_published");
    }
}
