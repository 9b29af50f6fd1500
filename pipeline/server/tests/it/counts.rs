//! Counts and coverage of the small snapshot.

use serde_json::{Value, json};

use crate::common::data;
use crate::content::{app_at, source};
use crate::snapshot::table;

#[tokio::test]
async fn counts_are_the_rows_of_the_tables_and_statistics_by_year() {
    let counts = data("/v1/mma/counts").await;
    assert_eq!(
        counts,
        json!({"snapshot_id": "s1", "facts_until": "2020-07-01", "known_until": "2020-07-01",
            "tables": {"bouts": 5, "quarantine": 7},
            "first_date": "2015-05-05", "last_date": "2031-03-01",
            "round_statistics": [{"year": 2020, "bouts": 3, "with_round_stats": 2, "share": 2.0 / 3.0}]})
    );
}

#[tokio::test]
async fn coverage_tells_sources_years_and_known_fields() {
    let app = app_at("2026-01-01T00:00:00Z", |tables| {
        tables.sources =
            table("sources", vec![source("wire", &["wire"], Some("c")), source("videos", &["videos"], None)]);
    });
    let coverage = crate::common::get(&app, "/v1/mma/coverage").await.data();
    assert_eq!(
        coverage["years"],
        json!([{"year": 2020, "bouts": 3, "with_result": 3, "with_round_stats": 2, "with_control_time": 1,
            "decisions": 2, "with_scorecards": 0}])
    );
    let promotions = coverage["promotions"].as_array().unwrap();
    let bouts = promotions.iter().map(|of| of["bouts"].as_u64().unwrap()).sum::<u64>();
    let with_rounds = promotions.iter().map(|of| of["with_round_stats"].as_u64().unwrap()).sum::<u64>();
    assert_eq!((bouts, with_rounds), (3, 2), "{promotions:?}");
    let captures = |name: &str| {
        let sources = coverage["sources"].as_array().unwrap();
        sources.iter().find(|source| source["source"] == name).unwrap()["captures"].clone()
    };
    assert_eq!((captures("a-wire"), captures("a-videos")), (json!(1), json!(0)));
    let field = |table: &str, name: &str| -> Value {
        let fields = coverage["fields"].as_array().unwrap();
        fields.iter().find(|f| f["table"] == table && f["field"] == name).unwrap().clone()
    };
    let born = field("fighters", "date_of_birth");
    assert_eq!((&born["rows"], &born["known"], &born["share"]), (&json!(4), &json!(1), &json!(0.25)));
    assert!(born["null_means"].is_string());
    assert_eq!(field("round_stats", "control_secs")["known"], 6);
}
