//! A small snapshot. Rows name only the columns that matter; the contract fills the rest with nulls.

use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::{BoutId, EventId, FighterId};
use fdna_schemas::{Column, ColumnType, MetricDefinitions, Table, TableWriter, Tables};
use fdna_server::{Dataset, DatasetError, SnapshotInfo, SnapshotTables};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) fn event(source_id: &str) -> Uuid {
    EventId::of("statsdb", source_id).0
}

pub(crate) fn bout(source_id: &str) -> Uuid {
    BoutId::of("statsdb", source_id).0
}

pub(crate) fn fighter(source_id: &str) -> Uuid {
    FighterId::of("statsdb", source_id).0
}

/// A table by its contract. Rows are sorted by the key; what a row leaves out is null, or empty where
/// the contract allows no null.
pub(crate) fn table(name: &str, mut rows: Vec<Value>) -> RecordBatch {
    let table = Tables::get().table(name).unwrap();
    rows.sort_by_key(|row| key(table, row));
    let write = |writer, column: &Column| write(writer, column, &rows);
    table.columns.iter().fold(TableWriter::new(table), write).finish().unwrap()
}

fn key(table: &Table, row: &Value) -> Vec<(i64, String)> {
    let part = |name: &String| (row[name].as_i64().unwrap_or(0), row[name].as_str().unwrap_or("").to_owned());
    table.key.iter().map(part).collect()
}

fn write<'a>(writer: TableWriter<'a>, column: &Column, rows: &[Value]) -> TableWriter<'a> {
    let (name, nullable) = (column.name.as_str(), column.is_nullable());
    let or = |value: Option<Value>, empty: Value| if nullable { value } else { Some(value.unwrap_or(empty)) };
    let given = |row: &Value| row.get(name).filter(|v| !v.is_null()).cloned();
    let values = |empty: Value| rows.iter().map(move |row| or(given(row), empty.clone())).collect::<Vec<_>>();
    match column.kind {
        ColumnType::String | ColumnType::Json => {
            writer.strings(name, values(json!("")).iter().map(|v| v.as_ref().and_then(Value::as_str)))
        }
        ColumnType::Uuid => {
            writer.uuids(name, values(json!(Uuid::nil().to_string())).iter().map(read::<Uuid>))
        }
        ColumnType::Int32 => {
            let numbers = values(json!(0));
            writer.int32s(
                name,
                numbers.iter().map(|v| v.as_ref().map(|v| i32::try_from(v.as_i64().unwrap()).unwrap())),
            )
        }
        ColumnType::Int64 => {
            writer.int64s(name, values(json!(0)).iter().map(|v| v.as_ref().and_then(Value::as_i64)))
        }
        ColumnType::Float64 => {
            writer.floats(name, values(json!(0.0)).iter().map(|v| v.as_ref().and_then(Value::as_f64)))
        }
        ColumnType::Bool => {
            writer.bools(name, values(json!(false)).iter().map(|v| v.as_ref().and_then(Value::as_bool)))
        }
        ColumnType::Date => writer.dates(name, values(json!("2000-01-01")).iter().map(read::<NaiveDate>)),
        ColumnType::Instant => {
            writer.instants(name, values(json!("2024-12-01T00:00:00Z")).iter().map(read::<DateTime<Utc>>))
        }
    }
}

fn read<T: std::str::FromStr>(value: &Option<Value>) -> Option<T>
where
    T::Err: std::fmt::Debug,
{
    value.as_ref().map(|v| v.as_str().unwrap().parse().unwrap())
}

/// The tables below; `mark` stands in the events' names.
pub(crate) fn tables(mark: &str) -> SnapshotTables {
    SnapshotTables {
        events: events(mark),
        bouts: bouts(),
        fighters: fighters(),
        results: results(),
        round_stats: round_stats(),
        scorecards: scorecards(),
        identities: identities(),
        corrections: corrections(),
        dna_versions: Arc::new(dna_versions()),
        splits: Arc::new(table("splits", vec![])),
        round_profiles: Arc::new(table("round_profiles", vec![])),
        finish_profiles: Arc::new(table("finish_profiles", vec![])),
        finish_times: Arc::new(table("finish_times", vec![])),
        validity: table("validity", vec![]),
        aliases: table("aliases", vec![]),
        articles: table("articles", vec![]),
        deductions: table("deductions", vec![]),
        images: table("images", vec![]),
        judge_cards: table("judge_cards", vec![]),
        mentions: table("mentions", vec![]),
        rankings: table("rankings", vec![]),
        ratings: table("ratings", vec![]),
        round_scorecards: table("round_scorecards", vec![]),
        short_notices: table("short_notices", vec![]),
        stated_careers: table("stated_careers", vec![]),
        sources: table("sources", vec![]),
        videos: table("videos", vec![]),
        weigh_ins: table("weigh_ins", vec![]),
        wire: table("wire", vec![]),
    }
}

pub(crate) fn info(id: &str) -> SnapshotInfo {
    let rows = [("bouts".to_owned(), 5), ("quarantine".to_owned(), 7)].into();
    SnapshotInfo { id: id.to_owned(), facts_until: "2020-07-01".parse().ok(), synthetic: true, rows }
}

/// A snapshot whose events carry its id in their names.
pub(crate) fn dataset(id: &str) -> Dataset {
    Dataset::build(info(id), &tables(id)).unwrap()
}

pub(crate) fn broken() -> Result<Dataset, DatasetError> {
    let mut tables = tables("broken");
    tables.events = table("events", vec![]);
    Dataset::build(info("broken"), &tables)
}

fn events(mark: &str) -> RecordBatch {
    let row = |id: &str, day: &str, status: &str| {
        json!({"event_id": event(id).to_string(), "statsdb_id": id, "name": format!("Night {id} of {mark}"),
               "event_date": day, "card_status": status, "city": "Springfield"})
    };
    table(
        "events",
        vec![
            row("e1", "2020-01-10", "completed"),
            row("e2", "2020-06-01", "completed"),
            row("e3", "2031-03-01", "announced"),
            row("e4", "2015-05-05", "cancelled"),
        ],
    )
}

fn fighters() -> RecordBatch {
    let row = |id: &str, name: &str, more: Value| {
        let mut row = json!({"fighter_id": fighter(id).to_string(), "statsdb_id": id, "name": name});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    table(
        "fighters",
        vec![
            row(
                "fa",
                "Zorvik Quandle",
                json!({"nickname": "The Owl", "date_of_birth": "1990-05-05", "stance": "SOUTHPAW",
            "height_in": 70, "reach_in": 72, "weight_lbs": 155}),
            ),
            row("fb", "Ána O'Belmont", json!({})),
            row("fc", "Cid Draper", json!({})),
            row("fd", "Old Timer", json!({})),
        ],
    )
}

/// The two fighters of a bout, the lower id first.
pub(crate) fn sides(x: &str, y: &str) -> [Uuid; 2] {
    let mut sides = [fighter(x), fighter(y)];
    sides.sort();
    sides
}

fn bouts() -> RecordBatch {
    let row = |id: &str, of: &str, day: &str, x: &str, y: &str, order: i32, status: &str| {
        let [a, b] = sides(x, y);
        json!({"bout_id": bout(id).to_string(), "statsdb_id": id, "event_id": event(of).to_string(), "event_date": day,
               "weight_class": "LIGHTWEIGHT", "weight_class_raw": "Lightweight Bout", "scheduled_rounds": 3,
               "is_womens": false, "is_title": false,
               "bout_order": order, "status": status, "fighter_a_id": a.to_string(), "fighter_b_id": b.to_string()})
    };
    table(
        "bouts",
        vec![
            row("b1", "e1", "2020-01-10", "fa", "fb", 2, "completed"),
            row("b4", "e1", "2020-01-10", "fb", "fc", 1, "completed"),
            row("b2", "e2", "2020-06-01", "fa", "fc", 1, "completed"),
            row("b3", "e3", "2031-03-01", "fa", "fb", 1, "announced"),
            row("b5", "e4", "2015-05-05", "fd", "fc", 1, "cancelled"),
        ],
    )
}

fn results() -> RecordBatch {
    let row = |id: &str, outcome: &str, winner: Option<&str>, method: &str| {
        json!({"bout_id": bout(id).to_string(), "outcome": outcome, "winner_id": winner.map(|w| fighter(w).to_string()),
               "method": method, "round": 2, "clock_secs": 65, "time_format": "3 Rnd (5-5-5)", "total_secs": 365})
    };
    table(
        "results",
        vec![
            row("b1", "win", Some("fa"), "decision_unanimous"),
            row("b2", "draw", None, "decision_split"),
            row("b4", "no_contest", None, "overturned"),
        ],
    )
}

fn scorecards() -> RecordBatch {
    let row = |order: i32, a: Option<i32>| {
        json!({"bout_id": bout("b1").to_string(), "judge_order": order, "judge": format!("Judge {order}"),
               "score_a": a, "score_b": a.map(|a| a - 1)})
    };
    table("scorecards", vec![row(2, None), row(1, Some(30))])
}

fn round_stats() -> RecordBatch {
    let mut rows = Vec::new();
    for (id, pair, control) in [("b1", ["fa", "fb"], Some(20)), ("b2", ["fa", "fc"], None)] {
        for (round, secs) in [(1, 300), (2, 65)] {
            for (i, who) in pair.iter().enumerate() {
                let landed = 10 - 2 * i;
                rows.push(json!({"bout_id": bout(id).to_string(), "fighter_id": fighter(who).to_string(), "round": round,
                    "round_secs": secs, "sig_landed": landed, "sig_attempted": 20, "td_landed": 1, "td_attempted": 2,
                    "control_secs": if round == 1 { Some(20) } else { control }}));
            }
        }
    }
    table("round_stats", rows)
}

fn identities() -> RecordBatch {
    let row = |kind: &str, id: Uuid, source_id: &str| {
        json!({"kind": kind, "entity_id": id.to_string(), "source": "statsdb", "source_id": source_id,
               "first_seen_at": "2024-12-01T12:00:00Z"})
    };
    table(
        "identities",
        vec![
            row("event", event("e1"), "e1"),
            row("fighter", fighter("fa"), "fa"),
            row("fighter", fighter("fa"), "merged-into-fa"),
        ],
    )
}

fn corrections() -> RecordBatch {
    table(
        "corrections",
        vec![json!({"kind": "fighter", "entity_id": fighter("fa").to_string(), "field": "reach_in",
               "replaced_at": "2025-02-03T04:05:06Z"})],
    )
}

pub(crate) fn dna_versions() -> RecordBatch {
    let row = |version: i32, from: &str, last: &str| {
        let mut row = json!({"fighter_id": fighter("fa").to_string(), "version": version, "valid_from": from,
            "definition_version": "1", "weight_class": "LIGHTWEIGHT", "eligible_bouts": version,
            "eligible_rounds": 2 * version, "first_bout_date": "2020-01-10", "last_bout_date": last});
        for metric in &MetricDefinitions::get().metrics {
            let fields = metric_columns(metric.name == "sig_landed_per_min", version);
            for (suffix, value) in fields.as_object().unwrap() {
                row[MetricDefinitions::version_column(&metric.name, suffix)] = value.clone();
            }
        }
        row
    };
    table("dna_versions", vec![row(1, "2020-01-11", "2020-01-10"), row(2, "2020-06-02", "2020-06-01")])
}

fn metric_columns(is_ok: bool, version: i32) -> Value {
    if is_ok {
        json!({"status": "ok", "value": 3.5, "raw_value": 20.0 / 365.0 * 60.0, "numerator": 20 * version,
               "denominator": 365 * version, "exposure": 365.0 / 60.0 * f64::from(version), "bouts": version, "rounds": 2 * version, "weight": 0.6,
               "prior_mean": 4.0, "prior_strength": 2400.0, "confidence": "medium", "reasons": "weight few_bouts"})
    } else {
        json!({"status": "not_recorded", "bouts": 0, "confidence": "insufficient"})
    }
}
