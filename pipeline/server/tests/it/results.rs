//! The list of results, and a fighter's own history and statistics.

use serde_json::json;

use crate::common::{app, data, get};
use crate::content::field;
use crate::snapshot::{event, fighter};

async fn bouts(query: &str) -> Vec<String> {
    let list = data(&format!("/v1/mma/results?{query}")).await;
    let ids =
        list.as_array().unwrap().iter().map(|item| item["bout"]["statsdb_id"].as_str().unwrap().to_owned());
    ids.collect()
}

#[tokio::test]
async fn results_are_newest_first_with_the_main_event_before_the_rest() {
    let reply = get(&app(), "/v1/mma/results").await;
    let list = reply.data();
    assert_eq!(bouts("").await, ["b2", "b1", "b4"]);
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["count"], &meta["total"], &meta["offset"]), (&json!(3), &json!(3), &json!(0)));
    let newest = list[1].as_object().unwrap();
    assert_eq!(newest.keys().collect::<Vec<_>>(), ["bout", "event", "fighter_a", "fighter_b", "result"]);
    assert_eq!(newest["event"]["statsdb_id"], "e1");
    assert_eq!(newest["result"], data("/v1/mma/bouts/b1").await["result"]);
    assert_eq!(newest["fighter_a"], data("/v1/mma/bouts/b1/stats").await["fighter_a"]);
}

#[tokio::test]
async fn each_filter_of_results_leaves_what_it_says() {
    assert_eq!(bouts("from=2020-01-10&to=2020-01-10").await, ["b1", "b4"]);
    assert_eq!(bouts("from=2020-01-11").await, ["b2"]);
    assert_eq!(bouts("to=2020-01-09").await, Vec::<String>::new());
    assert_eq!(bouts("event_id=e1").await, ["b1", "b4"]);
    assert_eq!(bouts(&format!("event_id={}&fighter_id=fc", event("e1"))).await, ["b4"]);
    assert_eq!(bouts("fighter_id=merged-into-fa").await, ["b2", "b1"]);
    assert_eq!(bouts("method=overturned").await, ["b4"]);
    assert_eq!(bouts("weight_class=LIGHTWEIGHT&limit=1&offset=1").await, ["b1"]);
    assert_eq!(bouts("weight_class=HEAVYWEIGHT").await, Vec::<String>::new());
}

#[tokio::test]
async fn an_unknown_fighter_of_results_is_404_and_a_turned_period_400() {
    let reply = get(&app(), "/v1/mma/results?fighter_id=nobody").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (404, &json!("not_found")));
    let reply = get(&app(), "/v1/mma/results?from=2020-02-01&to=2020-01-01").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["details"]["parameter"]), (400, &json!("to")));
}

#[tokio::test]
async fn a_history_of_its_own_is_the_composites_in_pages() {
    let composite = data("/v1/mma/fighters/fa?include=history").await["history"].clone();
    let reply = get(&app(), "/v1/mma/fighters/fa/history").await;
    assert_eq!(reply.data(), composite);
    let meta = &reply.json()["meta"];
    assert_eq!(
        (&meta["total"], &meta["limit"], &meta["access_tier"]),
        (&json!(2), &json!(100), &json!("developer"))
    );
    let second = data("/v1/mma/fighters/fa/history?limit=1&offset=1").await;
    assert_eq!((second.as_array().unwrap().len(), &second[0]), (1, &composite[1]));
    assert_eq!(field(&data("/v1/mma/fighters/fa/history").await, "outcome"), ["draw", "win"]);
    assert_eq!(data("/v1/mma/fighters/fd/history").await, json!([]));
    assert_eq!(get(&app(), "/v1/mma/fighters/nobody/history").await.status.as_u16(), 404);
}

#[tokio::test]
async fn statistics_of_their_own_are_the_composites_and_need_pro() {
    let composite = data("/v1/mma/fighters/fa?include=stats").await["stats"].clone();
    let reply = get(&app(), "/v1/mma/fighters/fa/stats").await;
    let stats = reply.data();
    assert_eq!(stats["career_snapshot"], composite["career_snapshot"]);
    assert_eq!(stats["computed"], composite["computed"]);
    assert_eq!(stats["fighter"]["id"], fighter("fa").to_string());
    assert_eq!(reply.json()["meta"]["access_tier"], "pro");
}
