//! The fight-week ledger over HTTP: rows of a bout, what is known of an event, and a ledger that grows or breaks.

use std::sync::Arc;
use std::time::Duration;

use arrow::array::RecordBatch;
use axum::Router;
use chrono::{DateTime, Utc};
use fdna_lake::Lake;
use fdna_server::{Dataset, LakeSource, Ledger, ServingState, SnapshotSource, router, watch_snapshots};
use serde_json::{Value, json};

use crate::common::{clock, get, request, send};
use crate::content::{bout, event, field, uuid};
use crate::lake::{now, overwrite, publish, until};
use crate::snapshot::{dataset, info, sides, table, tables};

const SOURCES: &str = r#"[{"name":"schedule","status":"available","reason":null,"checked_at":"2031-02-20T00:00:00.000Z"},
    {"name":"rankings","status":"unavailable","reason":"never_captured","checked_at":null},
    {"name":"odds","status":"unavailable","reason":"no_licensed_source","checked_at":null}]"#;

/// A row of a bout of the small snapshot, recorded an hour after it held.
fn row(place: u32, id: &str, checkpoint: &str, sequence: i32, valid: &str, more: &Value) -> Value {
    let valid: DateTime<Utc> = valid.parse().unwrap();
    let recorded = valid + chrono::TimeDelta::hours(1);
    let [a, b] = sides("fa", "fb").map(|id| id.to_string());
    let mut row = json!({
        "place": place, "ledger_id": uuid(place.into()), "bout_id": bout(id), "event_id": event("e3"),
        "checkpoint": checkpoint, "sequence": sequence, "valid_at": valid.to_rfc3339(),
        "recorded_at": recorded.to_rfc3339(), "hours_to_start": 1.5, "start_at": "2031-03-01T23:00:00Z",
        "start_date": "2031-03-01", "start_status": "known", "bout_status": "scheduled", "bout_order": 1,
        "fighter_a_id": a, "fighter_b_id": b, "has_dna_a": true, "has_dna_b": false, "wire_count": 3,
        "result_status": "pending", "sources": SOURCES, "diff": "[]", "is_baseline": place == 1,
        "state_digest": format!("state {place}"), "row_digest": format!("row {place}"),
        "prev_digest": format!("row {}", place - 1),
    });
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    row
}

fn change(path: &str, from: &Value, to: &Value) -> Value {
    json!({"path": path, "op": "replace", "from": from, "to": to, "cause": "source_change", "source": "feed"})
}

/// Changes as the column has them.
fn diff(changes: &[Value]) -> Value {
    json!({"diff": Value::from(changes).to_string()})
}

/// A fight week of bout `b3`.
fn week() -> Vec<Value> {
    let order = "/state/bout_order";
    let count = "/state/wire_count";
    vec![
        row(1, "b3", "T-7D", 1, "2031-02-22T23:00:00Z", &json!({})),
        row(2, "b3", "T-1D", 1, "2031-02-28T23:00:00Z", &diff(&[change(order, &json!(2), &json!(1))])),
        row(
            3,
            "b3",
            "T-0",
            1,
            "2031-03-01T11:00:00Z",
            &diff(&[change(order, &json!(1), &json!(3)), change(count, &json!(1), &json!(2))]),
        ),
        row(
            4,
            "b3",
            "T-0",
            2,
            "2031-03-01T12:00:00Z",
            &diff(&[change(order, &json!(3), &json!(1)), change(count, &json!(2), &json!(3))]),
        ),
        row(5, "b3", "RESULT+24H", 1, "2031-03-03T12:00:00Z", &json!({"result_status": "official"})),
    ]
}

fn batch(rows: &[Value]) -> RecordBatch {
    table("ledger", rows.to_vec())
}

fn ledger(rows: &[Value]) -> Ledger {
    let head = rows.last().unwrap()["row_digest"].as_str().unwrap().to_owned();
    Ledger::build(&[batch(rows)], head, "2031-03-03T13:00:00Z".parse().unwrap()).unwrap()
}

/// What is served, with a ledger of these rows beside the small snapshot.
fn serving(rows: &[Value]) -> (Arc<ServingState>, Router) {
    let served = Arc::new(ServingState::new(None, clock()));
    served.publish(dataset("s1"));
    served.publish_ledger(ledger(rows));
    (Arc::clone(&served), router(served))
}

async fn body(app: &Router, path: &str) -> Value {
    let reply = get(app, path).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
    reply.json()
}

/// Checkpoints and sequences of the rows that are answered.
async fn rows(app: &Router, query: &str) -> String {
    let body = body(app, &format!("/v1/mma/bouts/b3/ledger{query}")).await;
    let rows = body["data"].as_array().unwrap().iter();
    let text = |row: &Value| format!("{} {}", row["checkpoint"].as_str().unwrap(), row["sequence"]);
    rows.map(text).collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn of_a_bouts_rows_the_newest_are_given_the_oldest_of_them_first() {
    let (_, app) = serving(&week());
    assert_eq!(rows(&app, "").await, "T-7D 1, T-1D 1, T-0 1, T-0 2, RESULT+24H 1");
    assert_eq!(rows(&app, "?limit=2").await, "T-0 2, RESULT+24H 1");
    let body = body(&app, "/v1/mma/bouts/b3/ledger?limit=2").await;
    assert_eq!(
        body["meta"]["checkpoints"],
        json!({"T-7D": 1, "T-1D": 1, "T-0": 2, "RESULT+24H": 1}),
        "of all that match"
    );
    assert_eq!((&body["meta"]["count"], &body["meta"]["total"]), (&json!(2), &json!(5)));
    assert_eq!(body["meta"]["ledger_moved_at"], "2031-03-03T13:00:00+00:00");
}

#[tokio::test]
async fn a_start_that_moved_is_told_in_the_form_of_all_answers() {
    let moved = change(
        "/scheduled_start/value",
        &json!("2031-03-01T22:00:00.000Z"),
        &json!("2031-03-01T23:00:00.500Z"),
    );
    let rows = [row(1, "b3", "T-1D", 1, "2031-02-28T23:00:00Z", &diff(&[moved]))];
    let (_, app) = serving(&rows);
    let diff = body(&app, "/v1/mma/bouts/b3/ledger").await["data"][0]["diff"][0].take();
    assert_eq!(
        (&diff["from"], &diff["to"]),
        (&json!("2031-03-01T22:00:00+00:00"), &json!("2031-03-01T23:00:00.500+00:00"))
    );
}

#[tokio::test]
async fn a_row_says_what_was_known_and_by_whom() {
    let (_, app) = serving(&week());
    let body = body(&app, "/v1/mma/bouts/b3/ledger?checkpoint=T-1D").await;
    let row = &body["data"][0];
    assert_eq!(row["ledger_id"], json!(uuid(2)));
    assert_eq!((&row["bout_id"], &row["event_id"]), (&json!(bout("b3")), &json!(event("e3"))));
    assert_eq!(
        row["scheduled_start"],
        json!({"value": "2031-03-01T23:00:00+00:00", "date": "2031-03-01", "status": "known"})
    );
    let state = &row["state"];
    assert_eq!(state["has_dna"], json!({"a": true, "b": false}));
    assert_eq!((&state["wire_count"], &state["video_count"]), (&json!(3), &Value::Null));
    assert_eq!(
        state["result"],
        json!({"status": "pending", "outcome": null, "method": null, "winner_id": null})
    );
    assert_eq!(row["sources"][0]["checked_at"], "2031-02-20T00:00:00+00:00");
    assert_eq!(row["sources"][2]["reason"], "no_licensed_source");
    assert_eq!(row["diff"], json!([change("/state/bout_order", &json!(2), &json!(1))]));
    assert_eq!(
        [&row["state_digest"], &row["prev_digest"], &row["row_digest"]],
        ["state 2", "row 1", "row 2"]
    );
    assert_eq!((&row["baseline"], &row["hours_to_start"]), (&json!(false), &json!(1.5)));
}

#[tokio::test]
async fn rows_are_asked_for_by_when_they_held_and_by_when_they_were_written() {
    let (_, app) = serving(&week());
    for (query, expected) in [
        ("?at=2031-03-01T11:00:00Z", "T-7D 1, T-1D 1, T-0 1"),
        ("?at=2031-03-01T10:59:59Z", "T-7D 1, T-1D 1"),
        ("?at=2031-03-01T11:00:00Z&limit=1", "T-0 1"),
        ("?known_at=2031-03-01T11:30:00Z", "T-7D 1, T-1D 1"),
        ("?known_at=2031-03-01T12:00:00Z", "T-7D 1, T-1D 1, T-0 1"),
        ("?at=2031-03-01T12:00:00Z&known_at=2031-03-01T00:00:00Z", "T-7D 1, T-1D 1"),
        ("?at=2031-03-01T12:00:00%2B01:00", "T-7D 1, T-1D 1, T-0 1"),
        ("?at=2031-03-01", "T-7D 1, T-1D 1, T-0 1, T-0 2"),
        ("?as_of=2031-03-01", "T-7D 1, T-1D 1"),
        ("?at=2030-01-01T00:00:00Z", ""),
        ("?checkpoint=T-0", "T-0 1, T-0 2"),
        ("?checkpoint=RESULT%2B24H", "RESULT+24H 1"),
        ("?checkpoint=RESULT+24H", "RESULT+24H 1"),
        ("?checkpoint=RESULT", ""),
        ("?checkpoint=ANNOUNCED", ""),
    ] {
        assert_eq!(rows(&app, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn values_that_are_none_are_refused_by_name() {
    let (_, app) = serving(&week());
    for (query, name) in [
        ("checkpoint=T-8D", "checkpoint"),
        ("checkpoint=t-0", "checkpoint"),
        ("checkpoint=", "checkpoint"),
        ("checkpoint=RESULT-24H", "checkpoint"),
        ("at=yesterday", "at"),
        ("as_of=2031-03-01T11:00:00Z", "as_of"),
        ("known_at=2031-13-01T00:00:00Z", "known_at"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("colour=red", "colour"),
    ] {
        let reply = get(&app, &format!("/v1/mma/bouts/b3/ledger?{query}")).await;
        assert_eq!(reply.status.as_u16(), 400, "{query}");
        assert!(reply.json()["error"].to_string().contains(name), "{query}: {}", reply.json());
    }
}

#[tokio::test]
async fn without_a_ledger_503_and_for_what_nobody_knows_404() {
    let app = crate::common::app();
    for path in ["bouts/b3/ledger", "events/e3/intelligence"] {
        let reply = get(&app, &format!("/v1/mma/{path}")).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (503, &json!("ledger_not_available")),
            "{path}"
        );
    }
    let (_, app) = serving(&week());
    for path in ["bouts/nothing/ledger", "events/nothing/intelligence", "bouts/e3/ledger"] {
        assert_eq!(get(&app, &format!("/v1/mma/{path}")).await.status.as_u16(), 404, "{path}");
    }
    // A bout and an event of which the ledger has no row are known all the same.
    let of_bout = body(&app, "/v1/mma/bouts/b1/ledger").await;
    assert_eq!((&of_bout["data"], &of_bout["meta"]["total"]), (&json!([]), &json!(0)));
    let of_event = body(&app, "/v1/mma/events/e1/intelligence").await;
    assert_eq!((&of_event["data"], &of_event["meta"]["unavailable_sources"]), (&json!([]), &json!([])));
}

/// Event `e3` with three bouts more; their rows come in no order.
fn night() -> Router {
    let mut tables = tables("s1");
    let pairing = |id: &str, who: [&str; 2], status: &str| {
        let [a, b] = sides(who[0], who[1]);
        json!({"bout_id": bout(id), "statsdb_id": id, "event_id": event("e3"), "event_date": "2031-03-01",
            "status": status, "fighter_a_id": a.to_string(), "fighter_b_id": b.to_string()})
    };
    tables.bouts = table(
        "bouts",
        vec![
            pairing("b6", ["fc", "fd"], "scheduled"),
            pairing("b7", ["fa", "fd"], "cancelled"),
            pairing("b3", ["fa", "fb"], "scheduled"),
            pairing("b8", ["fb", "fc"], "scheduled"),
        ],
    );
    for (name, batch) in [
        ("results", &mut tables.results),
        ("round_stats", &mut tables.round_stats),
        ("scorecards", &mut tables.scorecards),
    ] {
        *batch = table(name, vec![]);
    }
    tables.dna_versions = Arc::new(table("dna_versions", vec![]));
    tables.aliases = table(
        "aliases",
        vec![
            json!({"kind": "bout", "alias_id": uuid(900), "entity_id": bout("b6")}),
            json!({"kind": "event", "alias_id": uuid(901), "entity_id": event("e3")}),
        ],
    );
    let served = Arc::new(ServingState::new(None, clock()));
    served.publish(Dataset::build(info("s1"), &tables).unwrap());
    let place = |order: i32, position: &str| json!({"bout_order": order, "card_position": position});
    let licensed =
        SOURCES.replace(r#""unavailable","reason":"never_captured""#, r#""available","reason":null"#);
    let off = json!({"bout_order": 9, "card_position": "main_event", "bout_status": "cancelled",
        "sources": licensed});
    // Written under the id that the bout had then.
    let before = json!({"bout_id": uuid(900), "bout_order": 1, "card_position": "prelims"});
    served.publish_ledger(ledger(&[
        row(1, "b6", "ANNOUNCED", 1, "2031-02-01T00:00:00Z", &before),
        row(2, "b7", "T-1D", 1, "2031-02-28T23:00:00Z", &off),
        row(3, "b3", "T-1D", 1, "2031-02-28T23:00:00Z", &place(3, "main_event")),
        row(4, "b8", "T-1D", 1, "2031-02-28T23:00:00Z", &place(2, "co_main")),
        row(5, "b6", "T-1D", 1, "2031-02-28T23:00:00Z", &place(1, "prelims")),
    ]));
    router(served)
}

#[tokio::test]
async fn what_is_known_of_an_event_has_the_main_event_first_and_what_is_off_last() {
    let app = night();
    let body = body(&app, "/v1/mma/events/e3/intelligence").await;
    let bouts = ["b3", "b8", "b6", "b7"].map(bout);
    assert_eq!(field(&body["data"], "bout_id"), bouts);
    assert_eq!(
        body["meta"]["checkpoints"],
        json!({"ANNOUNCED": 1, "T-1D": 4}),
        "rows of each checkpoint, also those that others have taken the place of"
    );
    assert_eq!(
        body["meta"]["unavailable_sources"],
        json!(["odds"]),
        "one bout has rankings: they are not unavailable on every one"
    );
    let main = &body["data"][0];
    assert_eq!(
        main["card_shock"],
        json!({"status": "not_computed", "reason": "card_shock_engine_not_built"})
    );
    assert_eq!((&main["hours_to_start"], &main["checkpoint"]), (&json!(1.5), &json!("T-1D")));
    assert_eq!((&main["wire_count"], &main["result"]["status"]), (&json!(3), &json!("pending")));
    assert_eq!(main["has_dna"], json!({"a": true, "b": false}));
    assert_eq!(main["bout"]["id"], json!(bout("b3")));
    assert_eq!(main["fighter_a"]["id"], main["fighter_a_id"]);
    assert_eq!(main["sources"][2]["name"], "odds");
}

#[tokio::test]
async fn a_bout_and_an_event_are_found_by_an_id_that_was_merged_into_theirs() {
    let app = night();
    let own = body(&app, "/v1/mma/bouts/b6/ledger").await;
    assert_eq!(field(&own["data"], "checkpoint"), ["ANNOUNCED", "T-1D"]);
    assert_eq!(field(&own["data"], "bout_id"), [uuid(900), bout("b6")]);
    let merged = body(&app, &format!("/v1/mma/bouts/{}/ledger", uuid(900))).await;
    assert_eq!(merged["data"], own["data"]);
    let of_event = body(&app, &format!("/v1/mma/events/{}/intelligence", uuid(901))).await;
    assert_eq!(of_event["data"], body(&app, "/v1/mma/events/e3/intelligence").await["data"]);
}

#[tokio::test]
async fn what_changed_is_told_against_the_newest_row_of_an_earlier_checkpoint() {
    let known = |rows: Vec<Value>| async move {
        let (_, app) = serving(&rows);
        body(&app, "/v1/mma/events/e3/intelligence").await["data"][0].clone()
    };
    let week = week();
    // Both rows of T-0 together: the order came back to what it was, the stories went from 1 to 3.
    let zero = known(week[..4].to_vec()).await;
    assert_eq!(zero["checkpoint"], "T-0");
    assert_eq!(zero["sequence"], 2);
    assert_eq!(zero["diff"], json!([change("/state/wire_count", &json!(1), &json!(3))]));
    // Two rows of the first checkpoint: there is none before it.
    let announced = vec![
        row(1, "b3", "ANNOUNCED", 1, "2031-01-01T00:00:00Z", &json!({})),
        row(
            2,
            "b3",
            "ANNOUNCED",
            2,
            "2031-01-02T00:00:00Z",
            &diff(&[change("/state/bout_order", &json!(2), &json!(1))]),
        ),
    ];
    assert_eq!(known(announced).await["diff"], json!([]));
}

#[tokio::test]
async fn an_etag_moves_with_the_ledger_where_the_ledger_is_asked() {
    let week = week();
    let (served, app) = serving(&week[..3]);
    let paths = ["/v1/mma/bouts/b3/ledger", "/v1/mma/events/e3/intelligence", "/v1/mma/bouts/b3"];
    let mut before = Vec::new();
    for path in paths {
        let tag = get(&app, path).await.header("etag").to_owned();
        let again = send(&app, request("GET", path, &[("if-none-match", &tag)])).await;
        assert_eq!(again.status.as_u16(), 304, "{path}");
        before.push(tag);
    }
    served.publish_ledger(ledger(&week));
    for (path, tag) in paths.into_iter().zip(&before) {
        let reply = send(&app, request("GET", path, &[("if-none-match", tag)])).await;
        let is_of_ledger = path != paths[2];
        assert_eq!(reply.status.as_u16(), if is_of_ledger { 200 } else { 304 }, "{path}");
        assert_eq!(reply.header("etag") != tag, is_of_ledger, "{path}");
    }
    // Another snapshot may give a bout other names: that is another answer too.
    let tag = get(&app, paths[1]).await.header("etag").to_owned();
    served.publish(dataset("s2"));
    assert_ne!(get(&app, paths[1]).await.header("etag"), tag);
}

#[tokio::test]
async fn a_ledger_that_grows_is_served_and_a_damaged_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    let writer = lake.writer("test", now()).unwrap();
    let served = Arc::new(ServingState::new(None, clock()));
    let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(lake.clone()));
    let watching = tokio::spawn(watch_snapshots(Arc::clone(&served), source, Duration::from_millis(2)));
    let snapshot = publish(&writer, "first").id;
    writer.set_current(&snapshot, now()).unwrap();
    until("the snapshot is served", || served.dataset().is_some()).await;
    let app = router(Arc::clone(&served));
    assert_eq!(get(&app, "/v1/mma/bouts/b3/ledger").await.status.as_u16(), 503);

    let week = week();
    let head = || served.ledger().map(|ledger| ledger.head().to_owned()).unwrap_or_default();
    for n in [2, 3] {
        let at = if n == 2 { 0..2 } else { 2..3 };
        writer.append_ledger(&batch(&week[at]), &format!("row {n}"), now()).unwrap();
        until("the rows are served", || head() == format!("row {n}")).await;
        let rows = body(&app, "/v1/mma/bouts/b3/ledger").await;
        assert_eq!(rows["meta"]["total"], json!(n));
        assert_eq!(get(&app, "/readyz").await.json()["status"], "ready");
    }

    // A bit flips in what is there, then more is added: neither is served, and why is told until it is mended.
    let damaged = folder.path().join("lake/ledger/00000001/ledger.parquet");
    let whole = std::fs::read(&damaged).unwrap();
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    overwrite(&damaged, &bytes);
    writer.append_ledger(&batch(&week[3..4]), "row 4", now()).unwrap();
    until("the damage is told", || served.problem().is_some_and(|problem| problem.contains("ledger"))).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let ready = get(&app, "/readyz").await.json();
    assert_eq!(ready["status"], "degraded", "looking at the snapshot again does not hide it: {ready}");
    assert_eq!((head(), rows(&app, "").await), ("row 3".to_owned(), "T-7D 1, T-1D 1, T-0 1".to_owned()));

    // The last part goes: what is left is not taken for the ledger.
    overwrite(&damaged, &whole);
    until("the mended ledger is served", || head() == "row 4" && served.problem().is_none()).await;
    writer.append_ledger(&batch(&week[4..]), "row 5", now()).unwrap();
    until("the last row is served", || head() == "row 5").await;
    std::fs::remove_dir_all(folder.path().join("lake/ledger/00000004")).unwrap();
    assert!(LakeSource::new(lake.clone()).load_ledger().is_err());
    watching.abort();
}

/// A lake with a fight week, damaged in this way before a server looks at it; `named` is what must be named.
async fn damaged_from_the_start(named: &str, damage: impl FnOnce(&std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    let writer = lake.writer("test", now()).unwrap();
    let snapshot = publish(&writer, "first").id;
    writer.set_current(&snapshot, now()).unwrap();
    writer.append_ledger(&batch(&week()), "row 5", now()).unwrap();
    damage(&folder.path().join("lake/ledger"));

    let served = Arc::new(ServingState::new(None, clock()));
    let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(lake.clone()));
    let watching = tokio::spawn(watch_snapshots(Arc::clone(&served), source, Duration::from_millis(2)));
    let is_told = || served.problem().is_some_and(|problem| problem.contains("ledger"));
    until("the damage is told", || served.dataset().is_some() && is_told()).await;
    let app = router(Arc::clone(&served));
    let code = async |path: &str| {
        let reply = get(&app, path).await;
        (reply.status.as_u16(), reply.json()["error"]["code"].clone(), reply.header("retry-after").to_owned())
    };
    let damaged = (503, json!("ledger_damaged"), "60".to_owned());
    assert_eq!(code("/v1/mma/bouts/b3/ledger").await, damaged);
    assert_eq!(code("/v1/mma/events/e3/intelligence").await, damaged);
    assert_eq!(get(&app, "/v1/mma/events/e3").await.status.as_u16(), 200);
    let ready = get(&app, "/readyz").await.json();
    assert_eq!(ready["status"], "degraded");
    let problem = ready["problem"].as_str().unwrap();
    assert!(problem.contains(named), "{problem}");
    assert!(!problem.contains(folder.path().to_str().unwrap()), "{problem}");

    // What is gone is absent again.
    std::fs::remove_dir_all(folder.path().join("lake/ledger")).unwrap();
    until("it is gone", || served.problem().is_none()).await;
    assert_eq!(code("/v1/mma/bouts/b3/ledger").await.1, "ledger_not_available");
    watching.abort();
}

#[tokio::test]
async fn a_ledger_that_is_damaged_from_the_start_is_said_to_be_damaged_and_not_absent() {
    damaged_from_the_start("ledger/00000001/ledger.parquet", |ledger| {
        let part = ledger.join("00000001/ledger.parquet");
        let whole = std::fs::read(&part).unwrap();
        overwrite(&part, &whole[..whole.len() / 2]);
    })
    .await;
    damaged_from_the_start("ledger/head.json", |ledger| {
        overwrite(&ledger.join("head.json"), b"{}");
    })
    .await;
    damaged_from_the_start("ledger/head.json", |ledger| {
        std::fs::remove_file(ledger.join("head.json")).unwrap();
    })
    .await;
}
