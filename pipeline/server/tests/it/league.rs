//! A league to ask: six fighters with versions, and one whose bouts lack something each.
//!
//! ```text
//! qa  SOUTHPAW  LIGHTWEIGHT  5.0 medium after 2020-01-10, 3.0 low after 2015-01-10
//! qb  ORTHODOX  LIGHTWEIGHT  5.0 high   after 2020-02-01
//! qc            LIGHTWEIGHT  insufficient (raw 9.0) after 2020-03-01
//! qd  ORTHODOX  LIGHTWEIGHT  4.0 low    after 2010-04-01
//! qe  SWITCH    FLYWEIGHT    6.5 high   after 2020-05-01
//! qx                         of many metrics, after 2003-01-01, 2004-01-01, 2005-01-01 and 2006-01-01
//! ```

use std::sync::Arc;

use arrow::array::RecordBatch;
use axum::Router;
use fdna_schemas::MetricDefinitions;
use fdna_server::{Dataset, ServingState, SnapshotTables, router};
use serde_json::{Value, json};

use crate::common::{clock, get};
use crate::snapshot::{bout, event, fighter, info, sides, table, tables};

pub(crate) fn league(id: &str) -> Router {
    let served = Arc::new(ServingState::new(None, clock()));
    served.publish(dataset(id, validity()));
    router(served)
}

pub(crate) fn dataset(id: &str, validity: RecordBatch) -> Dataset {
    let tables = SnapshotTables {
        events: events(),
        bouts: bouts(),
        fighters: fighters(),
        results: results(),
        round_stats: round_stats(),
        scorecards: scorecards(),
        identities: table("identities", vec![]),
        corrections: table("corrections", vec![]),
        dna_versions: Arc::new(dna_versions()),
        validity,
        ..tables(id)
    };
    Dataset::build(info(id), &tables).unwrap()
}

/// Data of a successful answer.
pub(crate) async fn ask(path: &str) -> Value {
    get(&league("s1"), path).await.data()
}

/// Bouts of qx against ox, a southpaw, and oy, whose stance is not known: id, day, opponent.
const CAREER: [(&str, &str, &str); 7] = [
    ("early", "1999-03-01", "ox"),
    ("untimed", "2001-01-01", "ox"),
    ("uncounted", "2002-01-01", "ox"),
    ("whole", "2003-01-01", "ox"),
    ("bare", "2004-01-01", "oy"),
    ("overturned", "2005-01-01", "ox"),
    ("later", "2006-01-01", "oy"),
];

/// The only bouts of the others.
const LATEST: [(&str, &str, &str); 6] = [
    ("a1", "2015-01-10", "qa"),
    ("a2", "2020-01-10", "qa"),
    ("b1", "2020-02-01", "qb"),
    ("c1", "2020-03-01", "qc"),
    ("d1", "2010-04-01", "qd"),
    ("e1", "2020-05-01", "qe"),
];

fn all_bouts() -> impl Iterator<Item = (&'static str, &'static str, [&'static str; 2])> {
    let career = CAREER.iter().map(|(id, day, opponent)| (*id, *day, ["qx", *opponent]));
    career.chain(LATEST.iter().map(|(id, day, who)| (*id, *day, [*who, "oy"])))
}

fn events() -> RecordBatch {
    let row = |(id, day, _): (&str, &str, _)| {
        json!({"event_id": event(id).to_string(), "statsdb_id": id, "name": id, "event_date": day,
            "card_status": "completed"})
    };
    table("events", all_bouts().map(row).collect())
}

fn fighters() -> RecordBatch {
    let stances =
        [("qa", "SOUTHPAW"), ("qb", "ORTHODOX"), ("qd", "ORTHODOX"), ("qe", "SWITCH"), ("ox", "SOUTHPAW")];
    let stance = |id: &str| stances.iter().find(|(who, _)| *who == id).map(|(_, stance)| *stance);
    let row = |id: &str| {
        json!({"fighter_id": fighter(id).to_string(), "statsdb_id": id, "name": format!("Name {id}"),
            "stance": stance(id)})
    };
    table("fighters", ["qa", "qb", "qc", "qd", "qe", "qx", "ox", "oy"].map(row).to_vec())
}

fn bouts() -> RecordBatch {
    let row = |(id, day, [x, y]): (&str, &str, [&str; 2])| {
        let [a, b] = sides(x, y);
        json!({"bout_id": bout(id).to_string(), "statsdb_id": id, "event_id": event(id).to_string(),
            "event_date": day, "status": "completed", "fighter_a_id": a.to_string(),
            "fighter_b_id": b.to_string()})
    };
    table("bouts", all_bouts().map(row).collect())
}

fn results() -> RecordBatch {
    let row = |(id, _, [x, _]): (&str, &str, [&str; 2])| {
        let is_overturned = id == "overturned";
        json!({"bout_id": bout(id).to_string(), "outcome": if is_overturned { "no_contest" } else { "win" },
            "winner_id": (!is_overturned).then(|| fighter(x).to_string()), "round": 1,
            "method": if is_overturned { "overturned" } else { "decision_unanimous" }, "clock_secs": 300,
            "total_secs": (id != "untimed").then_some(300)})
    };
    table("results", all_bouts().map(row).collect())
}

/// One round each; `uncounted` has none, `bare` has no control time.
fn round_stats() -> RecordBatch {
    let of_bout = |(id, _, pair): (&'static str, &str, [&'static str; 2])| {
        pair.map(|who| {
            json!({"bout_id": bout(id).to_string(), "fighter_id": fighter(who).to_string(), "round": 1,
                "round_secs": 300, "control_secs": (id != "bare").then_some(30)})
        })
    };
    table("round_stats", all_bouts().filter(|(id, ..)| *id != "uncounted").flat_map(of_bout).collect())
}

/// Of qx's decisions: `whole` has a card, `later` one whose sides are not known, `bare` none.
fn scorecards() -> RecordBatch {
    let row = |id: &str, points: Option<i32>| json!({"bout_id": bout(id).to_string(), "judge_order": 1, "score_a": points, "score_b": points});
    table("scorecards", vec![row("whole", Some(10)), row("later", None)])
}

fn dna_versions() -> RecordBatch {
    let simple = |who: &str, number: i32, last: &str, class: &str, metric: Value| {
        version(who, number, last, Some(class), &[("sig_landed_per_min", metric)])
    };
    let of_many =
        (1..=4).map(|n| version("qx", n, CAREER[usize::try_from(n).unwrap() + 2].1, None, &known_of_many(n)));
    let rows = [
        simple("qa", 1, "2015-01-10", "LIGHTWEIGHT", rate(1, 3.0, "low", Some(20.0))),
        simple("qa", 2, "2020-01-10", "LIGHTWEIGHT", rate(2, 5.0, "medium", Some(70.0))),
        simple("qb", 1, "2020-02-01", "LIGHTWEIGHT", rate(1, 5.0, "high", Some(71.0))),
        simple("qc", 1, "2020-03-01", "LIGHTWEIGHT", too_few()),
        simple("qd", 1, "2010-04-01", "LIGHTWEIGHT", rate(1, 4.0, "low", None)),
        simple("qe", 1, "2020-05-01", "FLYWEIGHT", rate(1, 6.5, "high", Some(99.0))),
    ];
    table("dna_versions", rows.into_iter().chain(of_many).collect())
}

fn version(who: &str, number: i32, last: &str, class: Option<&str>, known: &[(&str, Value)]) -> Value {
    let last_day: chrono::NaiveDate = last.parse().unwrap();
    let mut row = json!({"fighter_id": fighter(who).to_string(), "version": number,
        "valid_from": last_day.succ_opt().unwrap().to_string(), "definition_version": "1",
        "weight_class": class, "eligible_bouts": number, "eligible_rounds": number,
        "first_bout_date": match who { "qx" => "2003-01-01", "qa" => "2015-01-10", _ => last }, "last_bout_date": last});
    for metric in &MetricDefinitions::get().metrics {
        let nothing =
            json!({"status": "not_recorded", "confidence": "insufficient", "reasons": "not_recorded"});
        let fields = known.iter().find(|(name, _)| *name == metric.name).map_or(nothing, |(_, f)| f.clone());
        for (suffix, value) in fields.as_object().unwrap() {
            row[MetricDefinitions::version_column(&metric.name, suffix)] = value.clone();
        }
    }
    row
}

fn rate(bouts: i32, value: f64, confidence: &str, percentile: Option<f64>) -> Value {
    json!({"status": "ok", "value": value, "raw_value": value + 0.5, "interval_low": value - 1.0,
        "interval_high": value + 1.5, "numerator": 50, "denominator": 900, "exposure": 15.0, "bouts": bouts,
        "rounds": bouts, "weight": 0.6, "prior_mean": 4.0, "prior_strength": 10.0, "confidence": confidence,
        "reasons": "weight_below_0.70", "percentile": percentile, "pool_size": percentile.map(|_| 45)})
}

fn too_few() -> Value {
    json!({"status": "insufficient_sample", "raw_value": 9.0, "numerator": 9, "denominator": 60,
        "exposure": 1.0, "bouts": 1, "rounds": 1, "weight": 0.1, "prior_mean": 4.0, "prior_strength": 9.0,
        "confidence": "insufficient", "reasons": "below_min_sample"})
}

/// What qx's n-th version says; bouts that carry the columns are counted as in his career above.
fn known_of_many(n: i32) -> Vec<(&'static str, Value)> {
    let ok = |bouts: i32, more: Value| {
        let mut fields = json!({"status": "ok", "value": 0.25, "raw_value": 0.5, "exposure": 15.0, "bouts": bouts,
            "rounds": bouts, "confidence": "low"});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fields
    };
    let shrunk = |low: f64, high: f64| {
        json!({"interval_low": low, "interval_high": high, "numerator": 1, "denominator": 2, "weight": 0.5,
            "prior_mean": 0.2, "prior_strength": 2.0})
    };
    let lacking_one = if n == 1 { 1 } else { n - 1 };
    let against_known = [1, 1, 2, 2][usize::try_from(n).unwrap() - 1];
    let with_cards = [1, 1, 2, 2][usize::try_from(n).unwrap() - 1];
    vec![
        ("sig_landed_per_min", ok(n, shrunk(0.1, 0.4))),
        ("sig_accuracy", ok(n, shrunk(0.25, 0.25))),
        ("head_share", ok(n, shrunk(0.1, 0.4))),
        // One more than there are: which ones cannot be told.
        ("td_accuracy", ok(n + 1, shrunk(0.1, 0.4))),
        ("control_share", ok(lacking_one, shrunk(0.1, 0.4))),
        ("card_margin_per_round", ok(with_cards, shrunk(-0.1, 0.4))),
        ("southpaw_exposure_share", ok(against_known, shrunk(0.1, 0.4))),
        (
            "recent_sig_diff_per_min",
            ok(n, {
                let mut fields = shrunk(-1.0, 2.0);
                fields["numerator"] = json!(12.625);
                fields["denominator"] = json!(7.5);
                fields
            }),
        ),
        ("house_rating", ok(n, json!({"value": 1532.5, "raw_value": 1532.5}))),
        ("cage_minutes", ok(n, json!({"value": 10.0, "raw_value": 10.0, "confidence": "high"}))),
        (
            "layoff_days",
            json!({"status": "not_applicable", "bouts": n, "confidence": "insufficient",
            "reasons": "no_earlier_bout"}),
        ),
    ]
}

pub(crate) fn validity() -> RecordBatch {
    let row = |metric: &str, class: &str, r2: Option<f64>, raw: Option<f64>| {
        json!({"metric": metric, "catalogue_class": class, "measured_class": r2.map(|_| "B"),
            "out_of_time_r2": r2, "out_of_time_r2_raw": raw, "reliability": r2.map(|_| 0.71),
            "interval_coverage": r2.map(|_| 0.89), "test_bouts": if r2.is_some() { 4000 } else { 12 },
            "first_test_year": r2.map(|_| 2017), "last_test_year": r2.map(|_| 2024), "fitted_variance": r2.map(|_| 1.5),
            "constants_fitted_to": "2016-12-31"})
    };
    table(
        "validity",
        vec![
            row("sig_landed_per_min", "A", Some(0.09), Some(-0.5)),
            row("sig_accuracy", "A", Some(0.05), Some(0.06)),
            row("kd_per_15", "D", None, None),
        ],
    )
}
