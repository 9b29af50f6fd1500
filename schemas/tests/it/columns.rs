//! Columns that are written are read back, and what does not follow a contract is refused.

use chrono::{DateTime, NaiveDate};
use fdna_schemas::{ColumnError, Table, TableReader, TableWriter, Tables};
use uuid::Uuid;

fn identities(source_ids: &[&str]) -> TableWriter<'static> {
    let n = source_ids.len();
    let table = Tables::get().table("identities").unwrap();
    TableWriter::new(table)
        .texts("kind", vec!["event"; n])
        .uuids("entity_id", vec![Some(Uuid::nil()); n])
        .texts("source", vec!["statsdb"; n])
        .texts("source_id", source_ids)
        .texts("rule", vec!["source_id"; n])
        .texts("first_seen_capture", vec!["c"; n])
        .strings("name", vec![Some("n"); n])
        .floats("score", vec![Some(1.0); n])
}

#[test]
fn what_is_written_is_read_back() {
    let at = DateTime::from_timestamp_millis(1_700_000_000_000);
    let batch = identities(&["a", "b"]).instants("first_seen_at", [at, at]).finish().unwrap();
    let reader = TableReader::new("identities", &batch);
    assert_eq!(reader.texts("source_id").unwrap(), ["a", "b"]);
    assert_eq!(reader.ids("entity_id").unwrap(), [Uuid::nil(); 2]);
    assert_eq!(reader.instants("first_seen_at").unwrap(), [at, at]);
}

#[test]
fn a_missing_column_a_wrong_type_and_a_forbidden_null_are_errors() {
    assert!(matches!(identities(&["a"]).finish(), Err(ColumnError::Missing { .. })));
    assert!(matches!(
        identities(&["a"]).int32s("first_seen_at", [None]).finish(),
        Err(ColumnError::Type { .. })
    ));
    assert!(matches!(
        identities(&["a"]).instants("first_seen_at", [None]).finish(),
        Err(ColumnError::Build { .. })
    ));
}

#[test]
fn dates_before_the_epoch_survive() {
    let days = "name = 'days'\nstage = 'facts'\nversion = 1\ngrain = ''\nkey = []\nmeaning = ''\nhistory = []\n\
                [[column]]\nname = 'day'\ntype = 'date'\nmeaning = ''";
    let days = Table::parse("days", days).unwrap();
    for (text, epoch_days) in
        [("1912-02-29", -21_126), ("1969-12-31", -1), ("1970-01-01", 0), ("2026-11-21", 20_778)]
    {
        let day: NaiveDate = text.parse().unwrap();
        let batch = TableWriter::new(&days).dates("day", [Some(day)]).finish().unwrap();
        assert_eq!(TableReader::new("days", &batch).days("day").unwrap(), [day]);
        assert_eq!(batch.column(0).to_data().buffers()[0].typed_data::<i32>()[0], epoch_days);
    }
}
