//! Fight DNA as of a date.

use fdna_schemas::MetricDefinitions;
use serde_json::{Value, json};

use crate::common::{app, data, get};
use crate::snapshot::bout;

async fn version(query: &str) -> Value {
    data(&format!("/v1/mma/fighters/fa/dna{query}")).await["version"].clone()
}

#[tokio::test]
async fn the_day_of_the_next_bout_is_still_the_older_version() {
    assert_eq!(version("?as_of=2020-01-11").await, 1);
    assert_eq!(version("?as_of=2020-06-01").await, 1);
    assert_eq!(version("?as_of=2020-06-02").await, 2);
    assert_eq!(version("").await, 2);
}

#[tokio::test]
async fn a_version_says_how_long_it_holds_and_what_the_date_adds() {
    let dna = data("/v1/mma/fighters/fa/dna?as_of=2020-05-05").await;
    assert_eq!((&dna["valid_from"], &dna["valid_to"]), (&json!("2020-01-11"), &json!("2020-06-01")));
    assert_eq!(dna["context"], json!({"age_years": 30, "days_since_last_eligible_bout": 116}));
    assert_eq!(dna["fighter"]["statsdb_id"], "fa");
    let latest = data("/v1/mma/fighters/fa/dna").await;
    assert_eq!((&latest["as_of"], &latest["valid_to"]), (&json!("2020-07-02"), &Value::Null));
    assert_eq!(latest["facts_until"], "2020-07-01");
}

#[tokio::test]
async fn a_metric_object_has_every_field() {
    let dna = data("/v1/mma/fighters/fa/dna?as_of=2020-06-01").await;
    let metrics = dna["metrics"].as_array().unwrap();
    let names: Vec<_> = metrics.iter().map(|m| m["metric"].as_str().unwrap()).collect();
    assert_eq!(names, MetricDefinitions::get().metrics.iter().map(|m| m.name.as_str()).collect::<Vec<_>>());
    assert_eq!(
        metrics[0],
        json!({"metric": "sig_landed_per_min", "family": "striking_offence", "unit": "per_min", "direction": "higher",
            "status": "ok", "value": 3.5, "raw_value": 20.0 / 365.0 * 60.0, "interval": null,
            "sample": {"bouts": 1, "rounds": 2, "exposure": 365.0 / 60.0, "exposure_unit": "min", "numerator": 20,
                "denominator": 365, "numerator_unit": "count", "denominator_unit": "seconds", "eligible_bouts": 1,
                "coverage": 1.0},
            "shrinkage": {"weight": 0.6, "prior_mean": 4.0, "prior_strength": 2400.0,
                "prior_population": "LIGHTWEIGHT", "prior_window": "5y"},
            "confidence": "medium", "confidence_reasons": ["weight", "few_bouts"], "percentile": null,
            "percentile_reason": "pool_below_30", "as_of": "2020-06-01", "valid_from": "2020-01-11", "definition_version": "1", "origin": "HOUSE_DERIVED",
            "is_official": false, "provenance": {"snapshot_id": "s1", "sources": ["statsdb"],
                "first_bout_date": "2020-01-10", "last_bout_date": "2020-01-10", "excluded": []}})
    );
    let missing = &metrics[1];
    assert_eq!((&missing["value"], &missing["shrinkage"]), (&Value::Null, &Value::Null));
    assert_eq!((&missing["status"], &missing["confidence_reasons"]), (&json!("not_recorded"), &json!([])));
}

#[tokio::test]
async fn provenance_names_the_bouts_where_they_can_be_told() {
    let dna = data("/v1/mma/fighters/fa/dna?include=provenance").await;
    let ids = |i: usize| dna["metrics"][i]["provenance"]["bout_ids"].clone();
    assert_eq!(ids(0), json!([bout("b1").to_string(), bout("b2").to_string()]));
    assert_eq!(ids(1), Value::Null);
}

#[tokio::test]
async fn without_dna_the_reason_is_told() {
    for (path, reason) in [
        ("/v1/mma/fighters/fb/dna", "no_eligible_bout"),
        ("/v1/mma/fighters/fb/dna?as_of=2020-01-01", "no_eligible_bout"),
        ("/v1/mma/fighters/fa/dna?as_of=2020-01-10", "before_first_version"),
    ] {
        let reply = get(&app(), path).await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status.as_u16(), &error["code"]), (404, &json!("dna_not_available")), "{path}");
        assert_eq!(error["details"]["reason"], reason, "{path}");
    }
    let reply = get(&app(), "/v1/mma/fighters/nobody/dna").await;
    assert_eq!(reply.json()["error"]["code"], "not_found");
}
