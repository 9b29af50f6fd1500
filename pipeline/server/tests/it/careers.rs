//! Versions, splits and profiles of the small snapshot's fighters. What a row leaves out is as in
//! `snapshot`.

use axum::Router;
use fdna_schemas::MetricDefinitions;
use fdna_server::{Dataset, ServingState, SnapshotTables, router};
use serde_json::{Value, json};

use crate::common::clock;
use crate::snapshot::{fighter, info, table, tables};

/// An interface over the small snapshot with some tables changed.
pub(crate) fn app_with(change: impl FnOnce(&mut SnapshotTables)) -> Router {
    app_of(changed_dataset(change))
}

/// The same, over files of records.
pub(crate) fn packed_app_with(change: impl FnOnce(&mut SnapshotTables)) -> Router {
    let dataset = changed_dataset(change);
    dataset.pack();
    app_of(dataset)
}

fn changed_dataset(change: impl FnOnce(&mut SnapshotTables)) -> Dataset {
    let mut tables = tables("s1");
    change(&mut tables);
    Dataset::build(info("s1"), &tables).unwrap()
}

fn app_of(dataset: Dataset) -> Router {
    let served = std::sync::Arc::new(ServingState::new(None, clock()));
    served.publish(dataset);
    router(served)
}

/// A version of a fighter; metrics that `known` does not name are not recorded.
pub(crate) fn version(who: &str, number: i32, from: &str, last: &str, known: &Value) -> Value {
    let mut row = json!({"fighter_id": fighter(who).to_string(), "version": number, "valid_from": from,
        "definition_version": "1", "weight_class": "LIGHTWEIGHT", "eligible_bouts": number,
        "eligible_rounds": 2 * number, "first_bout_date": "2020-01-10", "last_bout_date": last});
    for metric in &MetricDefinitions::get().metrics {
        let nothing = json!({"status": "not_recorded", "confidence": "insufficient"});
        let fields = known.get(&metric.name).unwrap_or(&nothing);
        extend(&mut row, &metric.name, fields);
    }
    row
}

/// A metric that has a value.
pub(crate) fn known(value: f64, confidence: &str) -> Value {
    json!({"status": "ok", "value": value, "raw_value": value, "weight": 0.5, "prior_mean": 4.0,
        "prior_strength": 60.0, "confidence": confidence, "bouts": 3})
}

fn extend(row: &mut Value, metric: &str, fields: &Value) {
    for (suffix, value) in fields.as_object().unwrap() {
        row[MetricDefinitions::version_column(metric, suffix)] = value.clone();
    }
}

/// Versions of fighter `fa` after his bouts of January and June 2020, and of `fb` after January's.
pub(crate) fn versions(a: &Value, b: &Value) -> arrow::array::RecordBatch {
    table(
        "dna_versions",
        vec![
            version("fa", 1, "2020-01-11", "2020-01-10", a),
            version("fa", 2, "2020-06-02", "2020-06-01", a),
            version("fb", 1, "2020-01-11", "2020-01-10", b),
        ],
    )
}

/// A split of `fa` with sums of one metric: numerator, denominator, bouts.
pub(crate) fn split(
    number: i32,
    dimension: &str,
    key: &str,
    bouts: i32,
    metric: &str,
    sums: [i64; 3],
) -> Value {
    let mut row = json!({"fighter_id": fighter("fa").to_string(), "dimension": dimension, "split_key": key,
        "version": number, "bouts": bouts, "rounds": 3 * bouts});
    let fields = json!({"numerator": sums[0], "denominator": sums[1], "bouts": sums[2]});
    extend(&mut row, metric, &fields);
    row
}
