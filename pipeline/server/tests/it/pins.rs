//! Requests that name a snapshot.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use std::time::Duration;

use axum::Router;
use fdna_api::{Snapshot, SnapshotManifest, SnapshotTable};
use fdna_http::PeerAddress;
use fdna_server::{Dataset, LoadError, PinnedSnapshotLimits, ServingState, SnapshotSource, router};
use serde_json::{Value, json};

use crate::common::{Reply, clock, get, once, request, send};
use crate::snapshot::{broken, dataset};

/// Has every snapshot `s…`, and `bad…` ones that cannot be loaded.
#[derive(Default)]
struct Shelf {
    loads: AtomicUsize,
}

/// No pace: what is loaded is what is told of.
const UNPACED: PinnedSnapshotLimits =
    PinnedSnapshotLimits { snapshots: 2, bytes: 100 << 20, load_every: Duration::ZERO, load_burst: 4 };

/// Megabytes in memory of `s…-N`, as the sizes of its tables are reckoned.
fn bytes(id: &str) -> u64 {
    id.split_once('-').and_then(|(_, megabytes)| megabytes.parse::<u64>().ok()).map_or(0, |n| (n << 20) / 4)
}

fn manifest(id: &str) -> SnapshotManifest {
    let snapshot = Snapshot {
        id: id.to_owned(),
        is_current: false,
        contract_version: "1".to_owned(),
        definition_versions: vec![],
        synthetic: true,
        facts_until: None,
        captured_until: None,
    };
    let table = |bytes| SnapshotTable {
        name: "bouts".to_owned(),
        rows: 1,
        bytes,
        sha256: String::new(),
        contract_version: 1,
    };
    let tables = [bytes(id)].into_iter().filter(|bytes| *bytes > 0).map(table).collect();
    SnapshotManifest { snapshot, captures: vec![], tables }
}

impl SnapshotSource for Shelf {
    fn current(&self) -> Result<Option<String>, LoadError> {
        Ok(Some("s1".to_owned()))
    }

    fn load(&self, id: &str) -> Result<Dataset, LoadError> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        match id {
            "bad-panics" => panic!("a fault in loading"),
            bad if bad.starts_with("bad") => Ok(broken()?),
            id => Ok(dataset(id)),
        }
    }

    fn snapshots(&self) -> Result<Vec<Snapshot>, LoadError> {
        Ok(["s3", "s2", "s1"].map(|id| manifest(id).snapshot).into())
    }

    fn manifest(&self, id: &str) -> Result<Option<SnapshotManifest>, LoadError> {
        Ok((id.starts_with('s') || id.starts_with("bad")).then(|| manifest(id)))
    }
}

fn app() -> (Router, Arc<Shelf>) {
    limited(UNPACED)
}

fn limited(limits: PinnedSnapshotLimits) -> (Router, Arc<Shelf>) {
    let shelf = Arc::new(Shelf::default());
    let source = Arc::clone(&shelf) as Arc<dyn SnapshotSource>;
    let served = ServingState::new(None, clock()).with_pins(source, limits);
    served.publish(dataset("s1"));
    (router(Arc::new(served)), shelf)
}

async fn name(app: &Router, snapshot: &str) -> String {
    let reply = get(app, &format!("/v1/mma/events/e1?snapshot={snapshot}")).await;
    assert_eq!(reply.header("x-snapshot-id"), snapshot);
    reply.data()["name"].as_str().unwrap().to_owned()
}

fn code(reply: &Reply) -> (u16, Value) {
    (reply.status.as_u16(), reply.json()["error"]["code"].clone())
}

#[tokio::test]
async fn a_named_snapshot_answers_and_others_see_the_current_one() {
    let (app, shelf) = app();
    assert_eq!(name(&app, "s2").await, "Night e1 of s2");
    assert_eq!(get(&app, "/v1/mma/events/e1").await.data()["name"], "Night e1 of s1");
    assert_eq!((name(&app, "s1").await.as_str(), shelf.loads.load(Ordering::SeqCst)), ("Night e1 of s1", 1));
    let dna = get(&app, "/v1/mma/fighters/fa/dna?snapshot=s2").await.data();
    assert_eq!(dna["metrics"][0]["provenance"]["snapshot_id"], "s2");
}

#[tokio::test]
async fn two_are_kept_and_the_one_used_longest_ago_is_loaded_again() {
    let (app, shelf) = app();
    for (id, loads) in [("s2", 1), ("s3", 2), ("s2", 2), ("s4", 3), ("s2", 3), ("s3", 4)] {
        name(&app, id).await;
        assert_eq!(shelf.loads.load(Ordering::SeqCst), loads, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_ask_at_once_load_it_once() {
    let (app, shelf) = app();
    let asking: Vec<_> = (0..20)
        .map(|_| {
            let app = app.clone();
            tokio::spawn(async move { name(&app, "s2").await })
        })
        .collect();
    for task in asking {
        assert_eq!(task.await.unwrap(), "Night e1 of s2");
    }
    assert_eq!(shelf.loads.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_snapshot_that_is_not_there_is_404_and_one_that_cannot_be_loaded_503() {
    let (app, shelf) = app();
    let reply = get(&app, "/v1/mma/events?snapshot=other").await;
    assert_eq!(code(&reply), (404, json!("snapshot_not_found")));
    assert_eq!(reply.json()["error"]["details"]["snapshot"], "other");
    for bad in ["bad", "bad-panics"] {
        for _ in 0..3 {
            let reply = get(&app, &format!("/v1/mma/events?snapshot={bad}")).await;
            assert_eq!(code(&reply), (503, json!("snapshot_not_available")));
            assert_eq!((reply.header("retry-after"), reply.header("x-snapshot-id")), ("5", ""));
        }
    }
    assert_eq!(shelf.loads.load(Ordering::SeqCst), 2);
    let without = crate::common::app();
    assert_eq!(code(&get(&without, "/v1/mma/events?snapshot=s2").await), (404, json!("snapshot_not_found")));
    assert_eq!(code(&get(&without, "/v1/mma/snapshots").await), (503, json!("snapshot_not_available")));
}

/// Asks from this address, once.
async fn asked_by(app: &Router, address: &str, snapshot: &str) -> Reply {
    let mut request = request("GET", &format!("/v1/mma/events/e1?snapshot={snapshot}"), &[]);
    request.extensions_mut().insert(PeerAddress(format!("{address}:1").parse().unwrap()));
    once(app, request).await
}

#[tokio::test]
async fn who_cycles_through_snapshots_is_told_to_wait_and_loads_nothing() {
    let (app, shelf) = limited(PinnedSnapshotLimits { load_every: Duration::from_secs(30), ..UNPACED });
    let mut answered = Vec::new();
    for round in 0..100 {
        let reply = asked_by(&app, "192.0.2.1", &format!("s{}", 2 + round % 10)).await;
        if reply.status.as_u16() == 503 {
            assert_eq!(code(&reply), (503, json!("busy")));
            let (after, details) = (reply.header("retry-after"), &reply.json()["error"]["details"]);
            assert!((50..=60).contains(&after.parse::<u32>().unwrap()), "{after}");
            assert_eq!(details["snapshot"], format!("s{}", 2 + round % 10));
        } else {
            answered.push(reply.header("x-snapshot-id").to_owned());
        }
    }
    assert_eq!(shelf.loads.load(Ordering::SeqCst), 2, "a client alone has half of four");
    assert_eq!(answered.len(), 20, "what is kept is answered however often it is asked for");
    // Another client, what is kept, what is not there and the current snapshot are no worse off.
    assert_eq!(asked_by(&app, "192.0.2.2", "s9").await.status.as_u16(), 200);
    assert_eq!(asked_by(&app, "192.0.2.1", "s9").await.status.as_u16(), 200);
    assert_eq!(code(&asked_by(&app, "192.0.2.1", "other").await), (404, json!("snapshot_not_found")));
    assert_eq!(asked_by(&app, "192.0.2.1", "s1").await.status.as_u16(), 200);
    // Many clients together have no more than all.
    let mut busy = 0;
    for place in 3..50 {
        let reply = asked_by(&app, &format!("192.0.2.{place}"), &format!("s{place}")).await;
        busy += u32::from(reply.status.as_u16() == 503);
    }
    assert_eq!((busy, shelf.loads.load(Ordering::SeqCst)), (45, 4));
}

#[tokio::test]
async fn named_snapshots_stay_within_their_memory_and_one_that_is_larger_is_not_loaded() {
    let (app, shelf) = app();
    for (id, loads) in [("s2-40", 1), ("s3-40", 2), ("s2-40", 2), ("s4-70", 3), ("s4-70", 3), ("s2-40", 4)] {
        assert_eq!(asked_by(&app, "192.0.2.1", id).await.status.as_u16(), 200, "{id}");
        assert_eq!(shelf.loads.load(Ordering::SeqCst), loads, "{id}");
    }
    let reply = asked_by(&app, "192.0.2.1", "s5-120").await;
    assert_eq!(code(&reply), (503, json!("snapshot_not_available")));
    assert_eq!(shelf.loads.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn without_pinned_snapshots_the_current_one_answers_alone() {
    let (app, shelf) = limited(PinnedSnapshotLimits { snapshots: 0, ..UNPACED });
    assert_eq!(name(&app, "s1").await, "Night e1 of s1");
    let reply = asked_by(&app, "192.0.2.1", "s2").await;
    assert_eq!(code(&reply), (503, json!("snapshot_not_available")));
    assert_eq!(code(&asked_by(&app, "192.0.2.1", "other").await), (404, json!("snapshot_not_found")));
    assert_eq!(shelf.loads.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn only_what_is_as_of_a_date_in_a_named_snapshot_is_kept_for_ever() {
    let (app, _) = app();
    for (path, cache) in [
        ("/v1/mma/fighters/fa/dna?as_of=2020-03-01&snapshot=s2", "max-age=31536000, immutable"),
        ("/v1/mma/fighters/fa/dna?as_of=2020-03-01&snapshot=s1", "max-age=31536000, immutable"),
        ("/v1/mma/fighters/fa/dna?as_of=2020-03-01", "max-age=60"),
        ("/v1/mma/fighters/fa/dna?snapshot=s2", "max-age=60"),
        ("/v1/mma/fighters/fa/dna?as_of=1990-01-01&snapshot=s2", "no-store"),
    ] {
        assert_eq!(get(&app, path).await.header("cache-control"), cache, "{path}");
    }
    let tag = get(&app, "/v1/mma/events?snapshot=s2").await.header("etag").to_owned();
    let again = crate::common::request("GET", "/v1/mma/events?snapshot=s2", &[("if-none-match", &tag)]);
    assert_eq!(send(&app, again).await.status.as_u16(), 304);
    assert_ne!(get(&app, "/v1/mma/events?snapshot=s3").await.header("etag"), tag);
}

#[tokio::test]
async fn snapshots_are_listed_in_pages_and_described() {
    let (app, _) = app();
    let reply = get(&app, "/v1/mma/snapshots?limit=2&offset=1").await;
    let list = reply.data();
    assert_eq!(
        (&list[0]["id"], &list[1]["id"], &list[1]["is_current"]),
        (&json!("s2"), &json!("s1"), &json!(true))
    );
    assert_eq!((&list[0]["is_current"], &reply.json()["meta"]["total"]), (&json!(false), &json!(3)));
    let one = get(&app, "/v1/mma/snapshots/s2").await.data();
    assert_eq!((&one["id"], &one["tables"], &one["is_current"]), (&json!("s2"), &json!([]), &json!(false)));
    assert_eq!(code(&get(&app, "/v1/mma/snapshots/none").await), (404, json!("snapshot_not_found")));
}
