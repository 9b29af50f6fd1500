//! The cause of each kind of difference, of invented snapshots: what is shown is named, and what is not is unknown.

use std::collections::BTreeMap;
use std::convert::Infallible;

use arrow::array::RecordBatch;
use expect_test::{Expect, expect};
use fdna_lineage::{
    CaptureName, CaptureName as Name, Cause, CellDiff, Decision, RowBatches, RowDiff, Side, SnapshotDiff,
    SnapshotPair, SnapshotTables, TableState, Word, key_text,
};
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{ColumnType, RowBuilder, Table, Tables};
use serde_json::{Value, json};

const ANN: &str = "00000000-0000-4000-8000-0000000000a1";
const BEA: &str = "00000000-0000-4000-8000-0000000000b1";
const CAT: &str = "00000000-0000-4000-8000-0000000000c1";
const DEE: &str = "00000000-0000-4000-8000-0000000000d1";
const OLD_BOUT: &str = "00000000-0000-4000-8000-000000000001";
const NEW_BOUT: &str = "00000000-0000-4000-8000-000000000002";
const METRIC: &str = "sig_landed_per_min";

/// Two snapshots of a league, as rows of which only some cells are named.
#[derive(Default)]
struct League {
    tables: [BTreeMap<&'static str, Vec<Value>>; 2],
    pair: SnapshotPair,
}

fn contract(table: &str) -> &'static Table {
    Tables::get().table(table).unwrap()
}

impl League {
    fn new() -> Self {
        let mut league = Self::default();
        league.pair.captures = [vec![capture("c1")], vec![capture("c1")]];
        league.pair.contract_versions = ["x".to_owned(), "x".to_owned()];
        league.pair.definition_versions = ["1".to_owned(), "1".to_owned()];
        for (table, columns) in [
            ("bouts", vec!["bout_id", "event_date", "fighter_a_id", "fighter_b_id"]),
            ("results", vec!["bout_id", "method", "round"]),
            ("round_stats", vec!["bout_id", "sig_landed"]),
        ] {
            league.pair.facts.insert(table.to_owned(), columns);
        }
        league.both("bouts", bout(OLD_BOUT, "2020-01-01", ANN, BEA));
        league.both("results", json!({ "bout_id": OLD_BOUT, "method": "ko_tko", "round": 1 }));
        league
    }

    fn both(&mut self, table: &'static str, row: Value) {
        self.old(table, row.clone());
        self.new_row(table, row);
    }

    fn old(&mut self, table: &'static str, row: Value) {
        self.tables[0].entry(table).or_default().push(row);
    }

    fn new_row(&mut self, table: &'static str, row: Value) {
        self.tables[1].entry(table).or_default().push(row);
    }

    /// A row with a cell that differs.
    fn changed(&mut self, table: &'static str, row: Value, column: &str, new: Value) {
        self.old(table, row.clone());
        let mut row = row;
        row[column] = new;
        self.new_row(table, row);
    }

    fn add_capture(&mut self, id: &str) {
        self.pair.captures[1].push(capture(id));
    }

    /// Every difference with its causes, a line each.
    fn check(&self, expected: Expect) {
        let diff = SnapshotDiff::new(self, self.pair.clone()).unwrap();
        let mut text = String::new();
        let because = |causes: &[Cause]| causes.iter().map(Cause::to_string).collect::<Vec<_>>().join("; ");
        for table in diff.tables() {
            let key = &contract(&table).key;
            diff.compare(&table, |chunk| {
                for row in chunk.rows(key) {
                    match row {
                        RowDiff::Appeared { key: at, causes, .. } => {
                            text += &format!("+ {table} {}: {}\n", key_text(key, &at), because(causes));
                        }
                        RowDiff::Gone { key: at, causes, .. } => {
                            text += &format!("- {table} {}: {}\n", key_text(key, &at), because(causes));
                        }
                        RowDiff::Changed { key: at, cells } => {
                            for CellDiff { column, old, new, causes } in cells {
                                let [old, new] = [old, new]
                                    .map(|value| value.map_or("none".to_owned(), |v| v.to_string()));
                                let at = key_text(key, &at);
                                text +=
                                    &format!("~ {table} {at} {column} {old} -> {new}: {}\n", because(causes));
                            }
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
        }
        expected.assert_eq(&text.replace("00000000-0000-4000-8000-0000000000", ""));
    }

    fn batch(&self, side: Side, table: &str) -> RecordBatch {
        let contract = contract(table);
        let mut rows = self.tables[side as usize].get(table).cloned().unwrap_or_default();
        rows.sort_by_key(|row| contract.key.iter().map(|key| row[key].to_string()).collect::<Vec<_>>());
        let mut builder = RowBuilder::new(contract);
        for row in &rows {
            builder.push_values(contract.columns.iter().map(|column| {
                match (&row[&column.name], column.kind) {
                    (Value::Null, _) if column.is_nullable() => ColumnValue::Null,
                    (value, ColumnType::Int32) => {
                        ColumnValue::Int32(value.as_i64().unwrap_or_default().try_into().unwrap())
                    }
                    (value, ColumnType::Int64) => ColumnValue::Int64(value.as_i64().unwrap_or_default()),
                    (value, ColumnType::Float64) => ColumnValue::Float64(value.as_f64().unwrap_or_default()),
                    (value, ColumnType::Bool) => ColumnValue::Bool(value.as_bool().unwrap_or_default()),
                    (value, ColumnType::Date) => {
                        ColumnValue::Date(value.as_str().unwrap_or("2020-01-01").parse().unwrap())
                    }
                    (value, ColumnType::Instant) => ColumnValue::Instant(
                        value.as_str().unwrap_or("2020-01-01T00:00:00Z").parse().unwrap(),
                    ),
                    (value, _) => ColumnValue::Text(value.as_str().unwrap_or_default()),
                }
            }));
        }
        builder.finish().unwrap()
    }
}

impl SnapshotTables for League {
    type Error = Infallible;

    fn names(&self, side: Side) -> Vec<String> {
        self.tables[side as usize].keys().map(|table| (*table).to_owned()).collect()
    }

    fn state(&self, side: Side, table: &str) -> Option<TableState> {
        let contract_version = Tables::get().table(table).ok()?.version;
        let rows = self.batch(side, table);
        let sha256 = format!("{rows:?}");
        Some(TableState { rows: rows.num_rows() as u64, contract_version, sha256 })
    }

    fn rows(
        &self,
        side: Side,
        table: &str,
        columns: Option<&[&str]>,
    ) -> Result<RowBatches<Infallible>, Infallible> {
        let rows = self.batch(side, table);
        let places =
            columns.map(|names| names.iter().filter_map(|name| rows.schema().index_of(name).ok()).collect());
        let rows = places.map_or_else(|| rows.clone(), |places: Vec<usize>| rows.project(&places).unwrap());
        Ok(Box::new(std::iter::once(Ok(rows))))
    }
}

fn capture(id: &str) -> CaptureName {
    Name { source: "statsdb".to_owned(), id: id.to_owned() }
}

fn bout(id: &str, day: &str, a: &str, b: &str) -> Value {
    json!({ "bout_id": id, "event_date": day, "fighter_a_id": a, "fighter_b_id": b })
}

fn link(kind: &str, entity: &str, source_id: &str, capture: &str) -> Value {
    json!({ "kind": kind, "source": "statsdb", "source_id": source_id, "entity_id": entity, "first_seen_capture": capture })
}

fn version(fighter: &str, number: i32, valid_from: &str, value: f64) -> Value {
    json!({ "fighter_id": fighter, "version": number, "valid_from": valid_from, "sig_landed_per_min__value": value })
}

fn correction(capture: &str, new: &str) -> Value {
    json!({ "kind": "result", "entity_id": OLD_BOUT, "field": "method", "change": "changed", "new": new,
            "replaced_by": capture, "replaced_at": "2021-01-01T00:00:00Z" })
}

#[test]
fn a_new_bout_is_the_cause_of_its_fighters_versions_and_of_others_that_are_later() {
    let mut league = League::new();
    league.add_capture("c2");
    league.new_row("bouts", bout(NEW_BOUT, "2021-01-01", ANN, CAT));
    league.new_row("identities", link("bout", NEW_BOUT, "b2", "c2"));
    league.new_row("results", json!({ "bout_id": NEW_BOUT, "method": "submission" }));
    league.new_row("dna_versions", version(ANN, 2, "2021-01-02", 2.0));
    league.changed(
        "dna_versions",
        version(DEE, 1, "2022-01-01", 1.0),
        "sig_landed_per_min__value",
        json!(1.5),
    );
    // Before the bout: nothing shows why.
    league.changed(
        "dna_versions",
        version(DEE, 2, "2019-01-01", 1.0),
        "sig_landed_per_min__value",
        json!(1.5),
    );
    league.check(expect![[r#"
        + bouts bout_id=02: new bout: bout 02; new capture statsdb c2
        + dna_versions fighter_id=a1,version=2: new bout: bout 02
        ~ dna_versions fighter_id=d1,version=1 sig_landed_per_min__value 1.0 -> 1.5: new bout: bout 02, of other fighters
        ~ dna_versions fighter_id=d1,version=2 sig_landed_per_min__value 1.0 -> 1.5: unknown
        + identities kind=bout,source=statsdb,source_id=b2: new capture statsdb c2
        + results bout_id=02: new bout: bout 02
    "#]]);
}

#[test]
fn a_result_that_a_capture_states_for_the_first_time_is_no_new_bout() {
    let mut league = League::new();
    league.add_capture("c2");
    league.both("bouts", bout(NEW_BOUT, "2021-01-01", ANN, CAT));
    league.new_row("identities", link("bout", NEW_BOUT, "b2", "c2"));
    league.new_row("results", json!({ "bout_id": NEW_BOUT, "method": "submission" }));
    league.new_row("dna_versions", version(ANN, 2, "2021-01-02", 2.0));
    league.check(expect![[r#"
        + dna_versions fighter_id=a1,version=2: new result: bout 02
        + identities kind=bout,source=statsdb,source_id=b2: new capture statsdb c2
        + results bout_id=02: new capture statsdb c2
    "#]]);
}

#[test]
fn a_corrected_value_names_the_capture_and_so_do_the_values_that_rest_on_it() {
    let mut league = League::new();
    league.add_capture("c2");
    league.tables[1].get_mut("results").unwrap()[0]["method"] = json!("submission");
    league.new_row("corrections", correction("c2", "submission"));
    league.changed(
        "dna_versions",
        version(ANN, 1, "2020-01-02", 1.0),
        "sig_landed_per_min__value",
        json!(2.0),
    );
    league.changed(
        "dna_versions",
        version(DEE, 1, "2022-01-01", 1.0),
        "sig_landed_per_min__value",
        json!(1.5),
    );
    // Another field of the same row, of which no correction tells.
    league.tables[1].get_mut("results").unwrap()[0]["round"] = json!(2);
    league.check(expect![[r#"
        + corrections kind=result,entity_id=01,part=,field=method,replaced_at=2021-01-01T00:00:00+00:00: new capture statsdb c2
        ~ dna_versions fighter_id=a1,version=1 sig_landed_per_min__value 1.0 -> 2.0: correction of the result's method by capture statsdb c2; unknown
        ~ dna_versions fighter_id=d1,version=1 sig_landed_per_min__value 1.0 -> 1.5: correction of the facts of other fighters by capture statsdb c2; unknown
        ~ results bout_id=01 method "ko_tko" -> "submission": correction of the result's method by capture statsdb c2
        ~ results bout_id=01 round 1 -> 2: unknown
    "#]]);
}

#[test]
fn a_capture_that_was_withdrawn_takes_its_correction_and_its_bouts_back() {
    let mut league = League::new();
    league.pair.captures[0].push(capture("c2"));
    let word = ["withdraw", "2021-02-01T00:00:00Z", "me", "of another day"].map(str::to_owned);
    let [action, at, by, reason] = word;
    league.pair.withdrawn.insert(capture("c2"), Word { action, at, by, reason });
    league.tables[0].get_mut("results").unwrap()[0]["method"] = json!("submission");
    league.old("corrections", correction("c2", "submission"));
    league.old("bouts", bout(NEW_BOUT, "2021-01-01", ANN, CAT));
    league.old("identities", link("bout", NEW_BOUT, "b2", "c2"));
    league.check(expect![[r#"
        - bouts bout_id=02: capture statsdb c2 no longer counts (withdraw by me at 2021-02-01T00:00:00Z: of another day)
        - corrections kind=result,entity_id=01,part=,field=method,replaced_at=2021-01-01T00:00:00+00:00: capture statsdb c2 no longer counts (withdraw by me at 2021-02-01T00:00:00Z: of another day)
        - identities kind=bout,source=statsdb,source_id=b2: capture statsdb c2 no longer counts (withdraw by me at 2021-02-01T00:00:00Z: of another day)
        ~ results bout_id=01 method "submission" -> "ko_tko": capture statsdb c2 no longer counts (withdraw by me at 2021-02-01T00:00:00Z: of another day)
    "#]]);
}

fn merged(league: &mut League) {
    league.changed("identities", link("fighter", DEE, "f4", "c1"), "entity_id", json!(CAT));
    league.new_row(
        "aliases",
        json!({ "kind": "fighter", "alias_id": DEE, "entity_id": CAT, "rule": "name_and_class", "since_capture": "c1" }),
    );
    league.old("fighters", json!({ "fighter_id": DEE, "name": "Dee" }));
    league.changed("bouts", bout(NEW_BOUT, "2021-01-01", ANN, DEE), "fighter_b_id", json!(CAT));
    league.old("dna_versions", version(DEE, 1, "2021-01-02", 1.0));
    league.changed(
        "dna_versions",
        version(CAT, 1, "2021-01-02", 1.0),
        "sig_landed_per_min__value",
        json!(2.0),
    );
}

#[test]
fn a_merge_names_both_ids_and_the_rule() {
    let mut league = League::new();
    merged(&mut league);
    league.check(expect![[r#"
        + aliases kind=fighter,alias_id=d1: merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
        ~ bouts bout_id=02 fighter_b_id "d1" -> "c1": merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
        ~ dna_versions fighter_id=c1,version=1 sig_landed_per_min__value 1.0 -> 2.0: merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
        - dna_versions fighter_id=d1,version=1: merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
        - fighters fighter_id=d1: merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
        ~ identities kind=fighter,source=statsdb,source_id=f4 entity_id "d1" -> "c1": merge of fighter d1 into c1 by rule name_and_class, shown by capture statsdb c1
    "#]]);
}

#[test]
fn a_merge_that_a_person_decided_names_the_person() {
    let mut league = League::new();
    let [reason, by, on] = ["the same face", "A. Person", "2021-02-01"].map(str::to_owned);
    let ids = ["statsdb:f4", "statsdb:f3"].map(str::to_owned);
    let decision = Decision { entity: "fighter".to_owned(), is_same: true, ids, reason, by, on };
    league.pair.decisions[1].push(decision);
    merged(&mut league);
    league.check(expect![[r#"
        + aliases kind=fighter,alias_id=d1: decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
        ~ bouts bout_id=02 fighter_b_id "d1" -> "c1": decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
        ~ dna_versions fighter_id=c1,version=1 sig_landed_per_min__value 1.0 -> 2.0: decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
        - dna_versions fighter_id=d1,version=1: decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
        - fighters fighter_id=d1: decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
        ~ identities kind=fighter,source=statsdb,source_id=f4 entity_id "d1" -> "c1": decision: A. Person of 2021-02-01: fighter statsdb:f4 and statsdb:f3 are the same (the same face)
    "#]]);
}

#[test]
fn a_metric_that_is_defined_otherwise_is_the_cause_of_its_own_values_alone() {
    let mut league = League::new();
    league.pair.definition_versions[1] = "2".to_owned();
    league.changed("metrics", json!({ "metric": METRIC, "min_sample": 3 }), "min_sample", json!(5));
    let other = "takedowns_landed_per_15_min";
    league.changed("metrics", json!({ "metric": other, "caveats": "" }), "caveats", json!("new words"));
    let mut row = version(ANN, 1, "2020-01-02", 1.0);
    league.old("dna_versions", row.clone());
    row["sig_landed_per_min__value"] = json!(2.0);
    row["eligible_bouts"] = json!(7);
    league.new_row("dna_versions", row);
    league.check(expect![[r#"
        ~ dna_versions fighter_id=a1,version=1 eligible_bouts 0 -> 7: unknown
        ~ dna_versions fighter_id=a1,version=1 sig_landed_per_min__value 1.0 -> 2.0: definition of metric sig_landed_per_min: 1 -> 2
        ~ metrics metric=sig_landed_per_min min_sample 3 -> 5: definition of metric sig_landed_per_min: 1 -> 2
        ~ metrics metric=takedowns_landed_per_15_min caveats "" -> "new words": definition of metric takedowns_landed_per_15_min: 1 -> 2
    "#]]);
}

#[test]
fn what_nothing_shows_is_unknown() {
    let mut league = League::new();
    league.changed("events", json!({ "event_id": OLD_BOUT, "name": "One" }), "name", json!("Two"));
    league.check(expect![[r#"
        ~ events event_id=01 name "One" -> "Two": unknown
    "#]]);
}

#[test]
fn what_alone_differs_of_all_that_goes_in_is_the_cause() {
    let mut league = League::new();
    league.changed("events", json!({ "event_id": OLD_BOUT, "name": "One" }), "name", json!("Two"));
    let captures = [capture("c2"), capture("c3")];
    league.pair.only_causes.insert("events".to_owned(), vec![Cause::of_captures(&captures)]);
    league.check(expect![[r#"
        ~ events event_id=01 name "One" -> "Two": new captures statsdb c2, statsdb c3
    "#]]);
}

#[test]
fn the_registry_that_was_begun_anew_gives_other_ids() {
    let mut league = League::new();
    league.pair.registry =
        Some(Cause::Registry { at: "2021-01-01T00:00:00Z".to_owned(), by: "me".to_owned() });
    league.changed("identities", link("fighter", DEE, "f4", "c1"), "entity_id", json!(CAT));
    league.check(expect![[r#"
        ~ identities kind=fighter,source=statsdb,source_id=f4 entity_id "d1" -> "c1": the registry of ids was begun anew at 2021-01-01T00:00:00Z by me
    "#]]);
}
