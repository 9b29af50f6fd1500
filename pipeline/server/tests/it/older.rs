//! Snapshots that were published before tables and columns existed are still served.

use arrow::array::RecordBatch;
use fdna_server::{Dataset, DatasetError};
use serde_json::json;

use crate::common::get;
use crate::content::{Moved, captured, mention, uuid};
use crate::snapshot::{info, table, tables};

fn without(batch: &RecordBatch, columns: &[&str]) -> RecordBatch {
    let schema = batch.schema();
    let kept: Vec<usize> =
        (0..batch.num_columns()).filter(|i| !columns.contains(&schema.field(*i).name().as_str())).collect();
    batch.project(&kept).unwrap()
}

#[tokio::test]
async fn events_and_bouts_without_starts_have_a_date_only() {
    let moved = Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.events = without(&tables.events, &["start_at", "start_status"]);
        tables.bouts = without(&tables.bouts, &["start_at"]);
    });
    let start = json!({"value": null, "status": "date_only"});
    let card = moved.data("/v1/mma/events/e3/card").await;
    assert_eq!((&card["event"]["scheduled_start"], &card["bouts"][0]["scheduled_start"]), (&start, &start));
}

#[tokio::test]
async fn rankings_may_say_where_they_are_published() {
    let row =
        json!({"snapshot_date": "2020-01-01", "division": "P4P", "place": 1, "source_url": "https://r.test"});
    let rankings = table("rankings", vec![row]);
    for (rankings, url) in
        [(without(&rankings, &["source_url"]), json!(null)), (rankings, json!("https://r.test"))]
    {
        let moved = Moved::at("2026-01-01T00:00:00Z", |tables| {
            tables.sources = captured(&["rankings"]);
            tables.rankings = rankings;
        });
        assert_eq!(moved.data("/v1/mma/rankings").await["source_url"], url);
    }
}

#[tokio::test]
async fn sources_that_do_not_say_all_that_they_feed_feed_their_group() {
    let moved = Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.sources = without(&captured(&["videos"]), &["feeds"]);
    });
    assert_eq!(moved.data("/v1/mma/videos").await, json!([]));
    assert_eq!(get(&moved.app, "/v1/mma/wire").await.status.as_u16(), 503);
}

#[test]
fn what_names_somebody_unknown_is_refused_and_so_are_words_that_are_none() {
    let mut of_nobody = tables("x");
    of_nobody.mentions = table("mentions", vec![mention(("video", "v"), ("fighter", uuid(9)))]);
    let built = Dataset::build(info("x"), &of_nobody);
    assert!(matches!(built, Err(DatasetError::Dangling { table: "mentions", .. })));
    let mut odd = tables("x");
    odd.videos = table("videos", vec![json!({"video_id": "v", "video_type": "trailer"})]);
    assert!(matches!(Dataset::build(info("x"), &odd), Err(DatasetError::Word { .. })));
    let mut torn = tables("x");
    torn.wire = table("wire", vec![json!({"wire_id": uuid(1), "also_in": "[", "previous_headlines": "[]"})]);
    assert!(matches!(Dataset::build(info("x"), &torn), Err(DatasetError::Text { .. })));
}
