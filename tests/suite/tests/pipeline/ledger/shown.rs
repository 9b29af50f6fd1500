//! The ledger as people and programs see it.

use fdna_suite::http::Serving;
use insta::assert_snapshot;
use serde_json::Value as Json;

use crate::ledger::week::{ANNOUNCED, REPLACED, Week, plain};

fn week() -> Week {
    let week = Week::new();
    week.results("2025-03-01T060000Z", &[]);
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    week.card("2025-03-25T120000Z", &REPLACED);
    week.run("2025-03-25T13:00:00Z");
    week
}

#[test]
fn a_bout_and_an_event_are_shown() {
    let week = week();
    let now = "2025-03-25T14:00:00Z";
    let (bout, event) = (week.bout(REPLACED[1]).to_string(), week.rows()[0].event_id.to_string());
    assert_snapshot!("ledger_shown_event", plain(&week.ok(now, &["ledger", "--show", &event])));
    assert_snapshot!("ledger_shown_bout", plain(&week.ok(now, &["ledger", "--show", &bout])));
    let text = week.ok(now, &["ledger", "--show", &bout, "--json"]);
    assert_snapshot!("ledger_shown_json", plain(&text));
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap().as_array().unwrap().len(), 1);
    let unknown = week.output(now, &["ledger", "--show", &uuid::Uuid::nil().to_string()]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_bouts_ledger_and_what_is_known_of_an_event_are_served() {
    let week = week();
    let (bout, event) = (week.bout(ANNOUNCED[1]), week.rows()[0].event_id);
    let serving = Serving::start(&week.bench);
    for (name, path) in [
        ("ledger_served_bout", format!("/v1/mma/bouts/{bout}/ledger?limit=1")),
        ("ledger_served_event", format!("/v1/mma/events/{event}/intelligence")),
    ] {
        let answer = serving.get(&path);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut body: Json = serde_json::from_slice(&answer.body).unwrap();
        body["meta"]["request_id"].take();
        // The first two are enough to read.
        let rows = body["data"].as_array_mut().unwrap();
        rows.truncate(2);
        assert_snapshot!(name, plain(&serde_json::to_string_pretty(&body).unwrap()));
    }
}

#[test]
fn a_ledger_that_grows_is_served_without_a_new_snapshot() {
    let week = week();
    let bout = week.bout(ANNOUNCED[0]);
    let serving = Serving::start(&week.bench);
    let path = format!("/v1/mma/bouts/{bout}/ledger");
    let first = serving.get(&path);
    let snapshot = week.bench.snapshot().id;
    week.run("2025-03-28T12:00:00Z");
    assert_eq!(week.bench.snapshot().id, snapshot);
    for _ in 0..400 {
        let answer = serving.get(&path);
        assert_eq!(answer.header("x-snapshot-id"), first.header("x-snapshot-id"));
        if answer.header("etag") != first.header("etag") {
            let body: Json = serde_json::from_slice(&answer.body).unwrap();
            let newest = body["data"].as_array().unwrap().last().unwrap()["checkpoint"].clone();
            assert_eq!(newest, "T-2D");
            return;
        }
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
    panic!("the new rows were not served");
}
