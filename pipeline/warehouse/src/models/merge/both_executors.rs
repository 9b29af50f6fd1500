//! The same captures, merged by `latest` here and in memory by `fdna-normalise`: both make the same rows of them, and the
//! same corrections of values. What the memory executor records beyond that, values that a capture no longer gives and
//! values that it adds, `latest` records nothing of, by design.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, Utc};
use duckdb::Connection;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, quarantine_table};
use fdna_schemas::tables::{
    ContractReader as _, ContractRow as _, CorrectionsReader, FightersReader, StatsdbIdsBoutsRow,
    StatsdbIdsEventsRow, StatsdbIdsFighterHistoriesRow, StatsdbIdsFightersRow, StatsdbIdsRoundStatsRow,
};
use fdna_schemas::{CatalogFile, RowBuilder, Tables};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::{corrected_values, merged_rows};

/// What a capture states of a fighter.
type StatedValues = (Option<&'static str>, Option<i32>);

/// A capture: the day on which it was made, and what it states, by the source's id.
type RandomCapture = (u64, BTreeMap<&'static str, StatedValues>);

fn captures() -> impl Strategy<Value = Vec<RandomCapture>> {
    let nickname = prop::option::of(prop::sample::select(vec!["Ace", "Bear", "Cat"]));
    let values = (nickname, prop::option::of(60..63));
    let fighters = btree_map(prop::sample::select(vec!["f1", "f2", "f3"]), values, 0..4);
    // Some are of one day: then their ids decide.
    vec((0_u64..4, fighters), 1..8)
}

fn capture_id(place: usize) -> String {
    format!("capture-{place}")
}

fn captured_at(day: u64) -> DateTime<Utc> {
    DateTime::<Utc>::UNIX_EPOCH + Days::new(20_000 + day)
}

/// A merged row, and a correction, each as a line of text.
#[derive(Debug, PartialEq, Eq)]
struct MergedTexts {
    rows: BTreeSet<String>,
    corrections: BTreeSet<String>,
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn capture_facts(place: usize, (day, fighters): &RandomCapture) -> CaptureFacts {
    let empty = |name: &str| RowBuilder::new(Tables::get().table(name).unwrap());
    let mut rows = empty(StatsdbIdsFightersRow::TABLE);
    for (line, (id, (nickname, height_in))) in (1..).zip(fighters) {
        rows.push(&StatsdbIdsFightersRow {
            file: "fighters.csv",
            line,
            row_digest: "",
            fighter_source_id: id,
            name: id,
            nickname: *nickname,
            height_in: *height_in,
            reach_in: None,
            stance: None,
            date_of_birth: None,
        });
    }
    let others = [
        StatsdbIdsBoutsRow::TABLE,
        StatsdbIdsEventsRow::TABLE,
        StatsdbIdsFighterHistoriesRow::TABLE,
        StatsdbIdsRoundStatsRow::TABLE,
    ];
    let tables = others.map(|name| (name, empty(name))).into_iter();
    let tables = tables.chain([(StatsdbIdsFightersRow::TABLE, rows)]);
    CaptureFacts {
        source: "statsdb-ids".to_owned(),
        capture: capture_id(place),
        captured_at: captured_at(*day),
        tables: tables.map(|(name, rows)| (name.to_owned(), rows.finish().unwrap())).collect(),
        set_aside: quarantine_table(Vec::new()).unwrap(),
    }
}

fn merge_in_memory(captures: &[RandomCapture]) -> MergedTexts {
    let facts = captures.iter().enumerate().map(|(place, capture)| capture_facts(place, capture));
    let tables: BTreeMap<_, _> = normalise_captures(facts.collect()).unwrap().tables.into_iter().collect();
    let fighters = FightersReader::of(&tables["fighters"]).all_rows().unwrap();
    let names: BTreeMap<_, _> = fighters.iter().map(|row| (row.fighter_id, row.name)).collect();
    let row = |row: &fdna_schemas::tables::FightersRow<'_>| {
        format!("{} {} {}", row.name, shown(row.nickname), shown(row.height_in))
    };
    let corrections = CorrectionsReader::of(&tables["corrections"]).all_rows().unwrap();
    let told = corrections.iter().filter(|own| own.change == "changed").map(|own| {
        format!(
            "{} {} {} {} {} {} {} {}",
            names[&own.entity_id],
            own.field,
            shown(own.old),
            shown(own.new),
            own.old_first_seen_at.date_naive(),
            own.old_last_seen_at.date_naive(),
            own.replaced_at.date_naive(),
            own.replaced_by
        )
    });
    MergedTexts { rows: fighters.iter().map(row).collect(), corrections: told.collect() }
}

fn merge_by_sql(captures: &[RandomCapture]) -> MergedTexts {
    let declared: CatalogFile = toml::from_str(
        "name = 'a'\nformat = 'csv'\ntable = 't'\nmerge = 'latest'\nkey = ['id']\nmeaning = ''\ncolumns = []",
    )
    .unwrap();
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE stated (id VARCHAR, nickname VARCHAR, height_in INTEGER, file VARCHAR, line INTEGER,
                                  row_digest VARCHAR, captured_at TIMESTAMP, capture VARCHAR);
             CREATE VIEW captured AS
                 SELECT *, row_number() OVER (ORDER BY captured_at, capture, file, line) AS ord FROM stated",
        )
        .unwrap();
    let mut insert = connection.prepare("INSERT INTO stated VALUES (?, ?, ?, 'a', ?, ?, ?, ?)").unwrap();
    for (place, (day, fighters)) in captures.iter().enumerate() {
        let at = captured_at(*day).format("%Y-%m-%d %H:%M:%S").to_string();
        for (line, (id, (nickname, height_in))) in (1_i32..).zip(fighters) {
            let digest = format!("{nickname:?} {height_in:?}");
            let values = duckdb::params![id, nickname, height_in, line, digest, at, capture_id(place)];
            insert.execute(values).unwrap();
        }
    }
    let texts = |sql: String| -> BTreeSet<String> {
        let mut statement = connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let columns = ["\"id\"", "\"nickname\"", "\"height_in\""].map(str::to_owned);
    let merged = merged_rows(&declared, &columns);
    let corrections = corrected_values("t", &declared, &["nickname", "height_in"]);
    MergedTexts {
        rows: texts(format!(
            "SELECT concat_ws(' ', id, coalesce(nickname, 'null'), coalesce(height_in::VARCHAR, 'null')) FROM ({merged})"
        )),
        corrections: texts(format!(
            "SELECT concat_ws(' ', row_key, column_name, old, value, old_first_seen_at::DATE, old_last_seen_at::DATE,
                              captured_at::DATE, capture)
             FROM ({corrections})"
        )),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_same_captures_become_the_same_rows_and_corrections(captures in captures()) {
        prop_assert_eq!(merge_in_memory(&captures), merge_by_sql(&captures));
    }
}

#[test]
fn only_the_memory_executor_records_what_a_capture_lacks_or_adds() {
    let stated = |nickname| BTreeMap::from([("f1", (nickname, None))]);
    let captures = [(0, stated(None)), (1, stated(Some("Ace"))), (2, stated(None)), (3, stated(Some("Ace")))];
    let facts = captures.iter().enumerate().map(|(place, capture)| capture_facts(place, capture));
    let tables: BTreeMap<_, _> = normalise_captures(facts.collect()).unwrap().tables.into_iter().collect();
    let recorded = CorrectionsReader::of(&tables["corrections"]).all_rows().unwrap();
    let recorded: Vec<_> = recorded.iter().map(|own| (own.change, own.replaced_by)).collect();
    assert_eq!(recorded, [("filled", "capture-1"), ("withdrawn", "capture-2")]);
    assert_eq!(merge_by_sql(&captures).corrections, BTreeSet::new());
}
