//! What each route answers.

use fdna_api::{API_VERSION, all_operations};
use serde_json::{Value, json};

use crate::common::{app, data, get};
use crate::snapshot::{bout, event, fighter, sides};

const FIGHTER_FIELDS: &str = "id statsdb_id feed_athlete_id name nickname dob height_in reach_in weight_lbs stance \
    record_w record_l record_d record_nc record_bouts_since record_source record_date is_active career_slpm career_str_acc career_sapm career_str_def \
    career_td_avg career_td_acc career_td_def career_sub_avg career_source career_date fight_history_count updated_at primary_image";
const EVENT_FIELDS: &str = "id statsdb_id feed_event_id name promotion event_date event_date_rule venue city region country commission is_ppv \
    card_status updated_at scheduled_start";
const BOUT_FIELDS: &str = "id statsdb_id feed_competition_id event_id weight_class weight_class_raw is_womens is_title title_kind \
    scheduled_rounds scheduled_rounds_rule card_position bout_order status replaced_bout_id short_notice_days fighter_a fighter_b result \
    scheduled_start";

fn fields(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn sorted(names: &str) -> Vec<&str> {
    let mut names: Vec<_> = names.split_whitespace().collect();
    names.sort_unstable();
    names
}

fn names(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_wire_states_the_contract_of_the_schemas() {
    assert_eq!(API_VERSION, fdna_schemas::CONTRACT_VERSION);
}

#[tokio::test]
async fn the_index_lists_every_route_and_the_envelope_is_whole() {
    let reply = get(&app(), "/v1/mma").await;
    let body = reply.json();
    assert_eq!(body["ok"], true);
    assert_eq!(body["data"]["endpoints"].as_object().unwrap().len(), all_operations().count());
    assert_eq!(body["data"]["endpoints"]["events"], "/v1/mma/events?status=upcoming&limit=25");
    assert_eq!(body["data"]["status"], "pre-release");
    assert_eq!(body["data"]["media_base_url"], Value::Null);
    assert_eq!(body["meta"]["version"], API_VERSION);
    assert_eq!(body["meta"]["access_tier"], "developer");
    assert_eq!(body["meta"]["request_id"], reply.header("x-request-id"));
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("x-api-version"), API_VERSION);
    assert_eq!(reply.header("x-snapshot-id"), "s1");
}

#[tokio::test]
async fn events_are_newest_first_and_filtered() {
    let reply = get(&app(), "/v1/mma/events").await;
    let list = reply.data();
    assert_eq!(names(&list, "statsdb_id"), ["e3", "e2", "e1", "e4"]);
    assert_eq!(fields(&list[0]), sorted(EVENT_FIELDS));
    assert_eq!(list[0]["venue"], Value::Null);
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["count"], &meta["total"], &meta["date"]), (&json!(4), &json!(4), &Value::Null));

    assert_eq!(names(&data("/v1/mma/events?status=upcoming").await, "statsdb_id"), ["e3"]);
    assert_eq!(names(&data("/v1/mma/events?status=recent").await, "statsdb_id"), ["e2", "e1"]);
    assert_eq!(names(&data("/v1/mma/events?date=2020-01-10").await, "statsdb_id"), ["e1"]);
    let reply = get(&app(), "/v1/mma/events?status=recent&limit=1").await;
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["count"], &meta["total"], &meta["status"]), (&json!(1), &json!(2), &json!("recent")));
    assert_eq!(data("/v1/mma/events?date=1999-01-01").await, json!([]));
}

#[tokio::test]
async fn an_event_is_found_by_uuid_and_source_id() {
    let by_source = data("/v1/mma/events/e1").await;
    assert_eq!(by_source, data(&format!("/v1/mma/events/{}", event("e1"))).await);
    assert_eq!(by_source["updated_at"], "2024-12-01T12:00:00+00:00");
    assert_eq!(data("/v1/mma/events/e2").await["updated_at"], Value::Null);
    let reply = get(&app(), "/v1/mma/events/nobody").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (404, &json!("not_found")));
}

#[tokio::test]
async fn a_card_has_its_main_event_first_and_null_where_nothing_was_fought() {
    let reply = get(&app(), "/v1/mma/events/e1/card").await;
    let card = reply.data();
    assert_eq!(names(&card["bouts"], "statsdb_id"), ["b1", "b4"]);
    assert_eq!(card["event"]["statsdb_id"], "e1");
    let main = &card["bouts"][0];
    assert_eq!(fields(main), sorted(BOUT_FIELDS));
    assert_eq!(fields(&main["fighter_a"]), sorted(FIGHTER_FIELDS));
    let [a, b] = sides("fa", "fb");
    assert_eq!(
        (&main["fighter_a"]["id"], &main["fighter_b"]["id"]),
        (&json!(a.to_string()), &json!(b.to_string()))
    );
    assert_eq!(reply.json()["meta"]["include"], json!(["media", "results"]));
    assert_eq!(reply.json()["meta"]["bouts"], 2);
    assert_eq!(data("/v1/mma/events/e3/card").await["bouts"][0]["result"], Value::Null);
}

#[tokio::test]
async fn a_result_has_every_field_and_scorecards_in_order() {
    let result = data("/v1/mma/bouts/b1").await["result"].clone();
    assert_eq!(
        result,
        json!({"status": "final", "outcome": "win", "winner_id": fighter("fa").to_string(),
            "method": "decision_unanimous", "method_detail": null, "round": 2, "time": "1:05",
            "time_format": "3 Rnd (5-5-5)", "total_seconds": 365, "referee": null, "scorecards": [
                {"judge": "Judge 1", "score_a": 30, "score_b": 29, "rounds": null},
                {"judge": "Judge 2", "score_a": null, "score_b": null, "rounds": null}]})
    );
    assert_eq!(data("/v1/mma/bouts/b4").await["result"]["status"], "overturned");
    assert_eq!(data("/v1/mma/bouts/b1").await["event"]["statsdb_id"], "e1");
}

#[tokio::test]
async fn statistics_on_a_card_need_pro_and_unknown_control_stays_null() {
    let reply = get(&app(), "/v1/mma/events/e2/card?include=stats").await;
    assert_eq!(reply.json()["meta"]["access_tier"], "pro");
    assert_eq!(reply.json()["meta"]["include"], json!(["media", "results", "stats"]));
    let bout = reply.data()["bouts"][0].clone();
    assert_eq!(bout["round_stats"].as_array().unwrap().len(), 4);
    assert_eq!(bout["round_stats"][0]["control_secs"], 20);
    assert_eq!(bout["round_stats"][2]["control_secs"], Value::Null);
    let totals = &bout["stat_totals"][fighter("fa").to_string()];
    assert_eq!((&totals["sig_landed"], &totals["seconds"]), (&json!(20), &json!(365)));
    assert_eq!(totals["control_secs"], Value::Null);
    assert_eq!(
        totals["provenance"],
        json!({"snapshot_id": "s1", "sources": ["statsdb"], "table": "round_stats", "rows": 2})
    );
}

#[tokio::test]
async fn bout_statistics_are_empty_and_null_where_there_are_none() {
    let with = data("/v1/mma/bouts/b1/stats").await;
    assert_eq!(with["stat_totals"][fighter("fb").to_string()]["control_secs"], 40);
    assert_eq!(with["bout"]["id"], bout("b1").to_string());
    let without = data("/v1/mma/bouts/b4/stats").await;
    assert_eq!((&without["round_stats"], &without["stat_totals"]), (&json!([]), &Value::Null));
    let reply = get(&app(), "/v1/mma/bouts/b4/stats").await;
    assert_eq!(reply.json()["meta"]["access_tier"], "pro");
}

#[tokio::test]
async fn fighters_are_listed_by_name_and_searched_without_accents() {
    let reply = get(&app(), "/v1/mma/fighters").await;
    let list = reply.data();
    assert_eq!(names(&list, "statsdb_id"), ["fb", "fc", "fd", "fa"]);
    assert_eq!(fields(&list[0]), sorted(FIGHTER_FIELDS));
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["limit"], &meta["offset"], &meta["with_media"]), (&json!(60), &json!(0), &json!(0)));
    for (query, found) in [
        ("q=ana+obel", vec!["fb"]),
        ("q=obelmont+ana", vec!["fb"]),
        ("q=owl+quandle", vec!["fa"]),
        ("q=quandle+belmont", vec![]),
        ("q=zorvik+zor", vec![]),
        ("q=%C3%81NA", vec!["fb"]),
        ("q=owl", vec!["fa"]),
        ("q=zzz", vec![]),
        ("active=true", vec!["fb", "fc", "fa"]),
        ("active=false", vec!["fd"]),
        ("limit=1&offset=1", vec!["fc"]),
        ("offset=100", vec![]),
        ("q=%E6%9D%8E", vec![]),
    ] {
        assert_eq!(names(&data(&format!("/v1/mma/fighters?{query}")).await, "statsdb_id"), found, "{query}");
    }
    let reply = get(&app(), "/v1/mma/fighters?limit=1&offset=1").await;
    assert_eq!((&reply.json()["meta"]["count"], &reply.json()["meta"]["total"]), (&json!(1), &json!(4)));
}

#[tokio::test]
async fn a_fighter_is_found_by_every_id_and_his_unknowns_are_null() {
    let detail = data("/v1/mma/fighters/fa").await;
    let slug = detail["slug_id"].as_str().unwrap();
    assert!(slug.starts_with("zorvik-quandle-"));
    for id in [slug, &fighter("fa").to_string(), "merged-into-fa"] {
        assert_eq!(data(&format!("/v1/mma/fighters/{id}")).await, detail, "{id}");
    }
    assert_eq!(
        fields(&detail),
        sorted(&format!("{FIGHTER_FIELDS} slug_id images record_stated by_promotion record_counted"))
    );
    assert_eq!(detail["updated_at"], "2025-02-03T04:05:06+00:00");
    assert_eq!((&detail["fight_history_count"], &detail["images"]), (&json!(2), &json!([])));
    for field in ["record_w", "career_slpm", "primary_image", "feed_athlete_id"] {
        assert_eq!(detail[field], Value::Null, "{field}");
    }
}

#[tokio::test]
async fn includes_add_fields_and_change_none() {
    let bare = data("/v1/mma/fighters/fa").await;
    let reply = get(&app(), "/v1/mma/fighters/fa?include=stats,history,next,ranking,media").await;
    let full = reply.data();
    for (name, value) in bare.as_object().unwrap() {
        assert_eq!(&full[name], value, "{name}");
    }
    assert_eq!(reply.json()["meta"]["include"], json!(["media", "ranking", "next", "history", "stats"]));
    assert_eq!(reply.json()["meta"]["access_tier"], "pro");
    assert_eq!(full["ranking"], Value::Null);
    assert_eq!(full["next_bout"]["event"]["statsdb_id"], "e3");
    assert_eq!(full["next_bout"]["opponent"]["statsdb_id"], "fb");
    assert_eq!(data("/v1/mma/fighters/fc?include=next").await["next_bout"], Value::Null);
}

#[tokio::test]
async fn history_is_newest_first_with_the_outcome_of_this_fighter() {
    let history = data("/v1/mma/fighters/fa?include=history").await["history"].clone();
    let outcomes: Vec<_> = history.as_array().unwrap().iter().map(|h| h["outcome"].clone()).collect();
    assert_eq!(outcomes, ["draw", "win"]);
    assert_eq!(history[1]["opponent"]["statsdb_id"], "fb");
    assert_eq!(fields(&history[0]), ["bout", "event", "opponent", "outcome", "result"]);
    let other = data("/v1/mma/fighters/fb?include=history").await["history"].clone();
    let mut outcomes: Vec<_> = names(&other, "outcome");
    outcomes.sort();
    assert_eq!(outcomes, ["loss", "no_contest"]);
    let one = data("/v1/mma/fighters/fa?include=history&history_limit=1").await["history"].clone();
    assert_eq!(one.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn computed_statistics_sum_rounds_and_say_where_they_come_from() {
    let stats = data("/v1/mma/fighters/fa?include=stats").await["stats"].clone();
    assert_eq!(stats["career_snapshot"]["career_slpm"], Value::Null);
    assert!(stats["career_snapshot"]["leakage_warning"].as_str().unwrap().contains("display only"));
    let career = &stats["computed"]["career"];
    assert_eq!((&career["bouts"], &career["own"]["sig_landed"]), (&json!(2), &json!(40)));
    assert_eq!(career["own"]["control_secs"], Value::Null);
    assert_eq!(career["rates"]["sig_accuracy"], 0.5);
    assert_eq!(career["rates"]["sig_landed_per_min"], 40.0 * 60.0 / 730.0);
    assert_eq!(stats["computed"]["provenance"]["rows"], 8);
    let none = data("/v1/mma/fighters/fd?include=stats").await["stats"]["computed"].clone();
    assert_eq!((&none["career"], &none["bouts"]), (&Value::Null, &json!([])));
}
