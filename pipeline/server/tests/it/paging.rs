//! Lists have one form of pages, and ids lead to one entity or to none.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::{app, get, request, send};
use crate::content::{Moved, field, fighter};
use crate::snapshot::table;

#[tokio::test]
async fn a_list_is_read_page_by_page_by_its_cursor_or_its_link() {
    let app = app();
    for path in ["/v1/mma/events?", "/v1/mma/fighters?", "/v1/mma/results?", "/v1/mma/search?q=night&"] {
        let whole = get(&app, &format!("{path}limit=100")).await.json();
        let total = whole["meta"]["total"].as_u64().unwrap();
        assert!(total > 1 && whole["meta"]["next_cursor"].is_null(), "{path} {whole}");
        let (mut rows, mut next) = (Vec::new(), format!("{path}limit=1"));
        loop {
            let reply = get(&app, &next).await;
            let page = reply.json();
            assert_eq!(page["meta"]["total"], total);
            rows.extend(reply.data().as_array().unwrap().clone());
            let Some(cursor) = page["meta"]["next_cursor"].as_str() else { break };
            let link = reply.header("link").to_owned();
            next = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
            assert!(next.ends_with(&format!("limit=1&cursor={cursor}")), "{next}");
        }
        assert_eq!(json!(rows), whole["data"], "{path}");
    }
}

#[tokio::test]
async fn a_cursor_is_of_its_own_list() {
    let app = app();
    let cursor = get(&app, "/v1/mma/events?limit=1").await.json()["meta"]["next_cursor"].clone();
    let cursor = cursor.as_str().unwrap();
    for path in [
        format!("/v1/mma/events?status=upcoming&cursor={cursor}"),
        format!("/v1/mma/fighters?cursor={cursor}"),
        format!("/v1/mma/results?cursor={}", cursor.replace('0', "1")),
    ] {
        let reply = get(&app, &path).await;
        assert_eq!(
            (reply.status, &reply.json()["error"]["details"]["parameter"]),
            (StatusCode::BAD_REQUEST, &json!("cursor"))
        );
    }
    let next = get(&app, "/v1/mma/fighters?limit=1").await.json()["meta"]["next_cursor"].clone();
    let both = format!("/v1/mma/fighters?limit=1&offset=1&cursor={}", next.as_str().unwrap());
    assert_eq!(get(&app, &both).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn events_are_filtered_by_both_ends_of_a_span() {
    let app = app();
    let all = get(&app, "/v1/mma/events").await.data();
    let days = field(&all, "event_date");
    let (newest, oldest) = (days[0], days[days.len() - 1]);
    let of = async |query: String| {
        Vec::from_iter(
            field(&get(&app, &format!("/v1/mma/events?{query}")).await.data(), "event_date")
                .into_iter()
                .map(str::to_owned),
        )
    };
    assert_eq!(of(format!("from={newest}")).await, [newest]);
    assert_eq!(of(format!("to={oldest}")).await, [oldest]);
    assert_eq!(of(format!("from={oldest}&to={newest}")).await, days);
    let refused = get(&app, &format!("/v1/mma/events?from={newest}&to={oldest}")).await;
    assert_eq!(refused.json()["error"]["details"]["parameter"], "to");
}

/// Fighters of whom two have one id, and ids of a source that numbers its own.
fn shared() -> Moved {
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        let row = |source: &str, who: &str, id: &str| {
            json!({"kind": "fighter", "entity_id": fighter(who), "source": source, "source_id": id,
                "first_seen_at": "2024-12-01T12:00:00Z"})
        };
        tables.identities = table(
            "identities",
            vec![
                row("late-notice", "fa", "1"),
                row("scorecards", "fb", "1001"),
                row("feed", "fa", "77"),
                row("feed", "fb", "78"),
                row("statsdb", "fb", "77"),
            ],
        );
    })
}

#[tokio::test]
async fn an_id_of_another_source_is_none_and_one_of_two_entities_names_both() {
    let moved = shared();
    for id in ["1", "1001", "2", "0"] {
        let reply = get(&moved.app, &format!("/v1/mma/fighters/{id}")).await;
        let error = reply.json()["error"].clone();
        assert_eq!((reply.status.as_u16(), &error["details"]), (404, &json!({"kind": "fighter", "id": id})));
        assert!(error["message"].as_str().unwrap().contains(&format!("`{id}`")), "{error}");
        assert_eq!(error["docs"], "/docs#fighter");
    }
    assert_eq!(moved.data("/v1/mma/fighters/78").await["statsdb_id"], "fb");
    let reply = get(&moved.app, "/v1/mma/fighters/77").await;
    let error = reply.json()["error"].clone();
    assert_eq!((reply.status.as_u16(), &error["code"]), (404, &json!("not_found")));
    let mut ids = field(&error["details"]["candidates"], "id");
    ids.sort();
    let mut both = vec![fighter("fa"), fighter("fb")];
    both.sort();
    assert_eq!(ids, both);
    assert!(error["details"]["candidates"][0]["name"].is_string());
}

#[tokio::test]
async fn a_matchup_says_which_of_its_ids_is_nobodys() {
    for (path, id) in [("fa/nobody", "nobody"), ("nowhere/fb", "nowhere")] {
        let reply = get(&app(), &format!("/v1/mma/matchups/{path}/dna")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["error"]["details"]["id"]), (404, &json!(id)));
    }
}

#[tokio::test]
async fn the_root_and_a_slash_too_many_lead_on() {
    let app = app();
    for (path, code, location) in [
        ("/", 307, "/docs"),
        ("/v1/mma/", 308, "/v1/mma"),
        ("/v1/mma/events/?limit=1&status=all", 308, "/v1/mma/events?limit=1&status=all"),
        ("/docs/", 308, "/docs"),
    ] {
        let reply = get(&app, path).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (code, location), "{path}");
    }
    assert_eq!(get(&app, "/").await.json()["openapi"], "/openapi.json");
    assert_eq!(send(&app, request("HEAD", "/", &[])).await.status.as_u16(), 307);
    assert_eq!(get(&app, "/v1/mma/odds/").await.status.as_u16(), 404);
}

#[tokio::test]
async fn what_will_not_come_is_not_asked_for_again() {
    for (path, reason) in [
        ("/v1/mma/fighters/fa/position-profile", "no_licensed_source"),
        ("/v1/mma/news", "no_source"),
        ("/v1/mma/rankings", "no_source"),
    ] {
        let reply = get(&app(), path).await;
        assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (503, ""), "{path}");
        assert_eq!(reply.json()["error"]["details"]["reason"], reason, "{path}");
    }
}

#[tokio::test]
async fn metrics_are_chosen_by_name_and_family_and_the_series_is_of_one() {
    let app = app();
    let whole = get(&app, "/v1/mma/fighters/fa/dna").await.data();
    let families = get(&app, "/v1/mma/fighters/fa/dna?families=control,targets").await.data();
    let kept = |keep: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        whole["metrics"].as_array().unwrap().iter().filter(|metric| keep(metric)).cloned().collect()
    };
    let of_families = kept(&|metric| metric["family"] == "control" || metric["family"] == "targets");
    assert_eq!(families["metrics"], json!(of_families));
    let one = get(&app, "/v1/mma/fighters/fa/dna?metrics=td_defense&metrics=sig_defense").await.data();
    assert_eq!(field(&one["metrics"], "metric"), ["sig_defense", "td_defense"]);
    let some = get(&app, "/v1/mma/fighters/fa/dna?metrics=td_defense&fields=value,percentile").await.data();
    let expected = json!([{"metric": "td_defense", "value": one["metrics"][1]["value"],
        "percentile": one["metrics"][1]["percentile"]}]);
    assert_eq!((&some["metrics"], &some["version"]), (&expected, &whole["version"]));
    let refused = get(&app, "/v1/mma/fighters/fa/dna?metrics=slpm").await.json()["error"].clone();
    assert_eq!(refused["details"]["did_you_mean"][0], "sig_landed_per_min");
    assert!(refused.to_string().len() < 600, "{refused}");

    let series = get(&app, "/v1/mma/fighters/fa/dna/series?metric=sig_landed_per_min").await;
    let points = series.data()["points"].clone();
    let points = points.as_array().unwrap();
    assert_eq!(series.json()["meta"]["total"], points.len());
    for point in points {
        let day = point["valid_from"].as_str().unwrap();
        let path = format!("/v1/mma/fighters/fa/dna?as_of={day}&metrics=sig_landed_per_min");
        let then = get(&app, &path).await.data();
        for name in ["value", "raw_value", "interval", "confidence", "sample", "status"] {
            assert_eq!(point[name], then["metrics"][0][name], "{day} {name}");
        }
        assert_eq!((&point["version"], &point["valid_to"]), (&then["version"], &then["valid_to"]));
    }
    assert!(points.len() > 1);
}

#[tokio::test]
async fn several_fighters_and_a_card_are_asked_at_once() {
    let app = app();
    let (fa, nobody) = (fighter("fa"), crate::content::uuid(9));
    let reply = get(&app, &format!("/v1/mma/fighters/dna?ids={fa}&ids={nobody}&families=control")).await;
    let data = reply.data();
    let alone = get(&app, "/v1/mma/fighters/fa/dna?families=control").await.data();
    assert_eq!((&data[0]["id"], &data[0]["dna"], &data[0]["error"]), (&json!(fa), &alone, &Value::Null));
    assert_eq!((&data[1]["dna"], &data[1]["error"]["code"]), (&Value::Null, &json!("not_found")));
    let meta = reply.json()["meta"].clone();
    assert_eq!((&meta["requested"], &meta["found"]), (&json!(2), &json!(1)));

    let card = get(&app, "/v1/mma/events/e1/card").await.data();
    let matchups = get(&app, "/v1/mma/events/e1/matchups").await;
    let data = matchups.data();
    assert_eq!(data["as_of"], card["event"]["event_date"]);
    for (bout, matchup) in card["bouts"].as_array().unwrap().iter().zip(data["matchups"].as_array().unwrap())
    {
        assert_eq!(bout["id"], matchup["bout"]["id"]);
        let [a, b] = ["fighter_a", "fighter_b"].map(|side| bout[side]["id"].as_str().unwrap());
        let path = format!("/v1/mma/matchups/{a}/{b}/dna?as_of={}", data["as_of"].as_str().unwrap());
        let alone = get(&app, &path).await;
        if alone.status == StatusCode::OK {
            assert_eq!(
                (&matchup["matchup"]["insights"], &matchup["matchup"]["href"]),
                (&alone.data()["insights"], &json!(path))
            );
        } else {
            assert_eq!(matchup["error"]["code"], alone.json()["error"]["code"]);
        }
    }
}
