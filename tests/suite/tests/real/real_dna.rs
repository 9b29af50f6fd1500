//! What must hold of Fight DNA, on the real history: both layouts of the statistics source in one lake.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so,
//! and on CI they fail.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type};
use chrono::NaiveDate;
use fdna_derive::{DerivedTables, MetricState, MetricStatus, derive_tables, to_tables};
use fdna_kit::rows_until;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::FACTS_TABLES;
use fdna_schemas::MetricDefinitions;
use fdna_suite::TestLake;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// The published snapshot, and the facts that it rests on.
struct History {
    lake: Lake,
    snapshot: SnapshotManifest,
    facts: Facts,
    derived: DerivedTables,
    bench: TestLake,
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn history() -> Option<&'static History> {
    static HISTORY: LazyLock<Option<History>> = LazyLock::new(|| {
        let data = fdna_kit::real_data()?;
        let source = |name: &str, folder: &str| format!("{name}={}", data.join(folder).display());
        let six = source("statsdb", "statsdb-csv/2025-11-02");
        let ids = source("statsdb-ids", "statsdb-ids/2024-12-14");
        let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &six, "--source", &ids]]);
        let (lake, snapshot) = (bench.lake(), bench.snapshot());
        let tables = FACTS_TABLES.map(|name| (name, lake.read_snapshot_table(&snapshot, name).unwrap()));
        let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
        let facts = fdna_normalise::read_facts(find).unwrap();
        let derived = as_of(&facts, day("2040-01-01"));
        Some(History { lake, snapshot, facts, derived, bench })
    });
    HISTORY.as_ref()
}

fn as_of(facts: &Facts, day: NaiveDate) -> DerivedTables {
    derive_tables(FactsAsOf::cut_at(facts, day), MetricDefinitions::get()).unwrap()
}

/// All tables but the measurement, which looks at every fact there is.
fn tables(derived: &DerivedTables) -> Vec<(&'static str, RecordBatch)> {
    let tables = to_tables(derived, MetricDefinitions::get()).unwrap();
    tables.into_iter().filter(|(name, _)| *name != "validity").collect()
}

#[test]
fn what_was_known_on_a_day_does_not_change_with_later_bouts() {
    let Some(History { facts, derived: all, .. }) = history() else { return };
    let made = tables(all);
    // The day of a card, the day after it, one long before control time was recorded, an idle one.
    for cut in ["2001-06-29", "2008-12-27", "2015-01-03", "2015-01-04", "2020-04-01", "2025-11-01"].map(day) {
        let then = as_of(facts, cut);
        let begun = all.versions.iter().filter(|v| v.valid_from <= cut);
        let begun: BTreeSet<_> = begun.map(|v| (v.fighter.0.to_string(), v.version)).collect();
        assert_eq!(begun.len(), then.versions.len(), "{cut}");
        for ((name, all), (_, then)) in made.iter().zip(&tables(&then)) {
            assert!(&rows_until(all, &begun, cut) == then, "{name} as of {cut}");
        }
    }
}

/// One test, since each would make the history anew.
#[test]
fn the_real_history_keeps_every_promise() {
    let Some(history) = history() else { return };
    the_number_of_threads_does_not_reach_a_byte_and_the_tables_are_the_published_ones(history);
    a_value_stands_only_where_it_may(history);
    control_that_was_not_recorded_is_never_a_zero(history);
    shares_of_a_group_sum_to_one(history);
    the_metric_definitions_says_what_the_history_measures(history);
    the_job_that_measures_proposes_nothing_that_the_metric_definitions_does_not_say(history);
}

fn the_number_of_threads_does_not_reach_a_byte_and_the_tables_are_the_published_ones(history: &History) {
    let History { facts, lake, snapshot, .. } = history;
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| to_tables(&as_of(facts, day("2040-01-01")), MetricDefinitions::get()).unwrap())
    };
    let one = on(1);
    assert!(one == on(3));
    for (name, table) in one {
        assert!(lake.read_snapshot_table(snapshot, name).unwrap() == table, "{name}");
    }
}

/// Every state with its metric and version, by name of the metric.
fn each_state(derived: &DerivedTables, check: impl Fn(&fdna_schemas::Metric, &MetricState) -> bool) {
    for (metric, derivation) in MetricDefinitions::get().metrics.iter().zip(&derived.metrics) {
        let broken = derivation.states.iter().position(|state| !check(metric, state));
        assert!(broken.is_none(), "{} of {:?}", metric.name, broken.map(|v| &derived.versions[v]));
    }
}

fn a_value_stands_only_where_it_may(history: &History) {
    let derived = &history.derived;
    each_state(derived, |_, s| s.value.is_some() == (s.status == MetricStatus::Ok));
    each_state(derived, |m, s| m.is_shrunk() || (s.interval.is_none() && s.shrinkage.is_none()));
    each_state(derived, |m, s| !m.is_shrunk() || s.interval.is_some() == s.value.is_some());
    each_state(derived, |_, s| s.sums.is_none_or(|(_, d)| s.raw_value.is_some() == (d > 0.0)));
    each_state(derived, |_, s| s.observations > 0 || s.status == MetricStatus::NotRecorded);
    each_state(derived, |_, s| s.percentile.is_none_or(|p| p.pool_size >= 30 && s.value.is_some()));
    each_state(derived, |_, s| s.interval.is_none_or(|(low, high)| low.is_finite() && low <= high));
    each_state(derived, |_, s| s.shrinkage.is_none_or(|s| (0.0..1.0).contains(&s.weight)));
}

fn control_that_was_not_recorded_is_never_a_zero(history: &History) {
    let History { facts, lake, snapshot, .. } = history;
    let unknown = |bout: &&fdna_model::BoutFact| {
        bout.is_eligible() && bout.rounds.iter().flat_map(|r| &r.counts).any(|c| c.control_secs.is_none())
    };
    let unknown = facts.bouts().iter().filter(unknown).count();
    assert!(unknown > 1_000, "{unknown} bouts without control");
    let versions = lake.read_snapshot_table(snapshot, "dna_versions").unwrap();
    let column = |name: &str| versions.column_by_name(name).unwrap();
    let bouts = column("control_share__bouts").as_primitive::<Int32Type>();
    let values =
        ["control_share__raw_value", "control_share__value"].map(|c| column(c).as_primitive::<Float64Type>());
    let without: Vec<usize> = (0..versions.num_rows()).filter(|row| bouts.value(*row) == 0).collect();
    assert!(without.len() > 100, "{}", without.len());
    assert!(without.iter().all(|row| values.iter().all(|column| column.is_null(*row))));
}

fn shares_of_a_group_sum_to_one(history: &History) {
    let derived = &history.derived;
    let place = |name: &str| MetricDefinitions::get().metrics.iter().position(|m| m.name == name).unwrap();
    for group in
        [["head_share", "body_share", "leg_share"], ["distance_share", "clinch_share", "ground_share"]]
    {
        let columns = group.map(|name| &derived.metrics[place(name)].states);
        let sums = (0..derived.versions.len())
            .filter_map(|v| columns.iter().map(|states| states[v].value).sum::<Option<f64>>());
        let sums: Vec<f64> = sums.collect();
        assert!(sums.len() > 1_000, "{}", sums.len());
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{group:?}");
    }
}

/// The metric definitions are what these facts measure: their classes are the ones that were measured before the first
/// release, and the shrunk value predicts better than the raw one everywhere.
fn the_metric_definitions_says_what_the_history_measures(history: &History) {
    let derived = &history.derived;
    for (metric, derivation) in MetricDefinitions::get().metrics.iter().zip(&derived.metrics) {
        let Some(validity) = &derivation.validity else { continue };
        assert_eq!(
            validity.validity_class(&MetricDefinitions::get().settings.validity),
            metric.validity_class,
            "{}",
            metric.name
        );
        assert!(validity.r2 > validity.r2_raw, "{}: {validity:?}", metric.name);
        let (fitted, stated) = (validity.variance.unwrap(), metric.variance.unwrap());
        assert!((fitted / stated - 1.0).abs() < 1e-3, "{}: {fitted} {stated}", metric.name);
    }
}

fn the_job_that_measures_proposes_nothing_that_the_metric_definitions_does_not_say(history: &History) {
    // It reads what is published: captures' facts are not needed.
    let bench = history.bench.copy();
    bench.ok(&["gc"]);
    let report = bench.ok(&["validity", "--fit"]);
    assert!(
        report.contains("the shrunk value predicts better than the raw one in 67 of 67 metrics"),
        "{report}"
    );
    assert!(!report.contains("propose"), "{report}");
    let json: serde_json::Value = serde_json::from_str(&bench.ok(&["validity", "--json"])).unwrap();
    let metrics = json["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), 67);
    assert!(metrics.iter().all(|m| m["measured_class"] == m["catalogue_class"]), "{report}");
}
