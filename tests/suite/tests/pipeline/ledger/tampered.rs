//! A ledger that somebody changed: the row, or the place, is named.

use std::path::PathBuf;

use fdna_ledger::{LedgerEntry, StateField, to_table};
use insta::assert_snapshot;
use serde_json::Value as Json;

use crate::ledger::week::{ANNOUNCED, Week, plain};

/// Three parts of three rows.
fn three_parts() -> Week {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    for now in ["2025-03-20T01:00:00Z", "2025-03-23T03:00:00Z", "2025-03-24T03:00:00Z"] {
        week.run(now);
    }
    assert_eq!(week.rows().len(), 9);
    week
}

/// What `verify --ledger` says of it, and that it fails as bad data; without ids and digests.
fn told(week: &Week) -> String {
    let output = week.output("2025-03-24T04:00:00Z", &["verify", "--ledger"]);
    assert_eq!(output.status.code(), Some(65));
    plain(&String::from_utf8_lossy(&output.stdout))
}

fn ledger(week: &Week) -> PathBuf {
    week.bench.folder().join("lake/ledger")
}

fn json(path: &std::path::Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Writes all rows anew as one who knows the lake would: parts, their manifests and the head fit one another, so that
/// only the chain of the rows can tell. The head keeps the digest of the last row that was there.
fn forge(week: &Week, change: impl FnOnce(&mut Vec<LedgerEntry>)) {
    let head = json(&ledger(week).join("head.json"))["head"].clone();
    let mut rows = week.rows();
    change(&mut rows);
    std::fs::remove_dir_all(ledger(week)).unwrap();
    let lake = week.bench.lake();
    let now = "2025-03-24T03:00:00Z".parse().unwrap();
    let writer = lake.writer("forger", now).unwrap();
    for (part, rows) in rows.chunks(3).enumerate() {
        let first = i64::try_from(3 * part + 1).unwrap();
        let last = if part == 2 { head.as_str().unwrap() } else { &rows.last().unwrap().row_digest };
        writer.append_ledger(&to_table(rows, first).unwrap(), last, now).unwrap();
    }
    // What names the parts that were there is made to know of it.
    assert!(writer.lose_ledger("forger", "nobody will ask").unwrap());
    drop(writer);
    assert_eq!(lake.verify().unwrap().problems, [], "only the chain can tell");
}

#[test]
fn an_edited_row_is_named() {
    let week = three_parts();
    forge(&week, |rows| rows[4].state.set(StateField::BoutOrder, 9));
    assert_snapshot!(told(&week), @r"
    9 rows of the ledger checked
    BROKEN row 5: T-7D 1 of bout [ID]: its state is not the one that was sealed
    1 problem
    ");
    let week = three_parts();
    forge(&week, |rows| rows[8].valid_at -= chrono::TimeDelta::hours(1));
    assert_snapshot!(told(&week), @r"
    9 rows of the ledger checked
    BROKEN row 9: T-6D 1 of bout [ID]: the row is not the one that was sealed
    1 problem
    ");
}

#[test]
fn two_rows_that_changed_places_are_told_where_they_stand() {
    let week = three_parts();
    forge(&week, |rows| rows.swap(3, 4));
    assert_snapshot!(told(&week), @r"
    9 rows of the ledger checked
    BROKEN row 4: T-7D 1 of bout [ID]: does not follow the row before it: a row was removed, added or moved here
    BROKEN row 5: T-7D 1 of bout [ID]: does not follow the row before it: a row was removed, added or moved here
    BROKEN row 6: T-7D 1 of bout [ID]: does not follow the row before it: a row was removed, added or moved here
    3 problems
    ");
}

#[test]
fn a_row_that_was_taken_out_is_told_where_it_was() {
    let week = three_parts();
    forge(&week, |rows| {
        rows.remove(5);
    });
    assert_snapshot!(told(&week), @r"
    8 rows of the ledger checked
    BROKEN row 6: T-6D 1 of bout [ID]: does not follow the row before it: a row was removed, added or moved here
    1 problem
    ");
}

#[test]
fn a_part_that_is_gone_is_told_the_last_one_too() {
    let week = three_parts();
    std::fs::remove_dir_all(ledger(&week).join("00000002")).unwrap();
    assert_snapshot!(told(&week), @r"
    the ledger cannot be read
    BROKEN ledger: `lake/ledger/00000002/manifest.json` is missing, which its manifest names
    1 problem
    ");
    let week = three_parts();
    std::fs::remove_dir_all(ledger(&week).join("00000003")).unwrap();
    assert_snapshot!(told(&week), @r"
    6 rows of the ledger checked
    BROKEN row 6: is the last row, but the ledger ended with digest [DIGEST]: rows are missing
    BROKEN ledger: `lake/ledger` is cut short: it ends before entry 3, which `runs/000003-20250324T030000000Z.json` names
    2 problems
    ");
}

#[test]
fn a_flipped_bit_of_a_part_is_told_and_nothing_is_added_to_it() {
    let week = three_parts();
    let path = ledger(&week).join("00000002/ledger.parquet");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    week.write("lake/ledger/00000002/ledger.parquet", &bytes);
    assert_snapshot!(told(&week), @r"
    the ledger cannot be read
    BROKEN ledger: checksum mismatch in `lake/ledger/00000002/ledger.parquet`: expected [DIGEST], found [DIGEST]
    1 problem
    ");
    let all = week.output("2025-03-24T04:00:00Z", &["verify"]);
    assert_eq!(all.status.code(), Some(65));
    let parts = week.bench.lake().ledger_parts().unwrap();
    assert_eq!(week.output("2025-03-28T00:00:00Z", &["ledger"]).status.code(), Some(65));
    assert_eq!(week.bench.lake().ledger_parts().unwrap(), parts);
}

/// Somebody edits the newest row before a run: the run stops, rather than seal a forgery.
#[test]
fn a_run_adds_nothing_to_rows_that_were_edited() {
    let week = three_parts();
    forge(&week, |rows| rows[2].state.set(StateField::WeightClass, "HEAVYWEIGHT"));
    let output = week.output("2025-03-28T00:00:00Z", &["ledger"]);
    assert_eq!(output.status.code(), Some(65));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("row 3"), "{said}");
    assert_eq!(week.rows().len(), 9);
}
