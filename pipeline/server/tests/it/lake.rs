//! From a real lake: publish, serve, swap, and a flipped bit.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use fdna_lake::{Lake, LakeWriter, SnapshotDraft, SnapshotManifest};
use fdna_server::{LakeSource, ServingState, SnapshotSource, SnapshotTables, router, watch_snapshots};

use crate::common::{clock, get};
use crate::snapshot::{dna_versions, table, tables};

pub(crate) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_750_000_000, 0).unwrap()
}

pub(crate) fn publish(writer: &LakeWriter, mark: &str) -> SnapshotManifest {
    commit(writer, tables(mark))
}

pub(crate) fn commit(writer: &LakeWriter, t: SnapshotTables) -> SnapshotManifest {
    let named = [
        ("events", t.events),
        ("bouts", t.bouts),
        ("fighters", t.fighters),
        ("results", t.results),
        ("round_stats", t.round_stats),
        ("scorecards", t.scorecards),
        ("identities", t.identities),
        ("corrections", t.corrections),
        ("quarantine", table("quarantine", vec![])),
        ("dna_versions", dna_versions()),
        ("splits", table("splits", vec![])),
        ("round_profiles", table("round_profiles", vec![])),
        ("finish_profiles", table("finish_profiles", vec![])),
        ("finish_times", table("finish_times", vec![])),
        ("validity", t.validity),
    ];
    let draft = SnapshotDraft {
        tables: named.into_iter().map(|(name, batch)| (name.to_owned(), batch.into())).collect(),
        contract_version: fdna_schemas::CONTRACT_VERSION.to_owned(),
        licences: Vec::new(),
        definition_versions: vec!["1".to_owned()],
        inputs: vec![],
        captures: vec![],
        synthetic: true,
        facts_until: "2020-07-01".parse().ok(),
        known_at: None,
    };
    writer.commit_snapshot(draft).unwrap()
}

/// The pointer to a snapshot, of the first format, which needs no digest of itself.
pub(crate) fn pointer_to(id: &str) -> String {
    format!(r#"{{"format":1,"snapshot_id":"{id}","moved_at":"2025-06-15T15:06:40Z"}}"#)
}

#[expect(clippy::disallowed_methods, reason = "plays the disk that damages a file behind the lake's back")]
pub(crate) fn overwrite(path: &std::path::Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

pub(crate) async fn until(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn a_published_snapshot_is_served_and_a_damaged_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    let writer = lake.writer("test", now()).unwrap();
    let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(lake.clone()));
    let served = Arc::new(ServingState::new(None, clock()).with_source(Arc::clone(&source)));
    let watching = tokio::spawn(watch_snapshots(Arc::clone(&served), source, Duration::from_millis(2)));

    let first = publish(&writer, "first");
    writer.set_current(&first.id, now()).unwrap();
    until("the first is served", || served.dataset().is_some()).await;
    let app = router(Arc::clone(&served));
    let event = get(&app, "/v1/mma/events/e1").await;
    assert_eq!(
        (event.header("x-snapshot-id"), &event.data()["name"]),
        (first.id.as_str(), &"Night e1 of first".into())
    );
    assert_eq!(get(&app, "/v1/mma/fighters/fa/dna").await.data()["version"], 2);

    // Damaged between publishing and loading: the pointer moves, the bytes do not hold.
    let second = publish(&writer, "second");
    let pointer = folder.path().join("lake/current.json");
    let text = pointer_to(second.id.as_str());
    let damaged = folder.path().join(format!("lake/snapshots/{}/tables/events.parquet", second.id));
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    overwrite(&damaged, &bytes);
    overwrite(&pointer, text.as_bytes());
    until("the damage is told", || served.problem().is_some_and(|p| p.contains(second.id.as_str()))).await;
    assert_eq!(get(&app, "/v1/mma/events/e1").await.header("x-snapshot-id"), first.id.as_str());
    assert_eq!(get(&app, "/readyz").await.json()["status"], "degraded");

    let third = publish(&writer, "third");
    writer.set_current(&third.id, now()).unwrap();
    until("the third is served", || served.dataset().is_some_and(|d| d.snapshot_id() == third.id.as_str()))
        .await;
    assert_eq!(get(&app, "/readyz").await.json()["status"], "ready");

    // All three are named: the first is loaded, the damaged one is not.
    let named = |id: &str| format!("/v1/mma/events/e1?snapshot={id}");
    let old = get(&app, &named(first.id.as_str())).await;
    assert_eq!(
        (old.header("x-snapshot-id"), &old.data()["name"]),
        (first.id.as_str(), &"Night e1 of first".into())
    );
    assert_eq!(get(&app, &named(second.id.as_str())).await.status.as_u16(), 503);
    for unknown in ["0123456789abcdef0123456789abcdef", "..%2F..", "s1"] {
        assert_eq!(
            get(&app, &named(unknown)).await.json()["error"]["code"],
            "snapshot_not_found",
            "{unknown}"
        );
    }
    let list = get(&app, "/v1/mma/snapshots").await.data();
    assert_eq!(list.as_array().unwrap().len(), 3);
    let current: Vec<_> = list.as_array().unwrap().iter().filter(|s| s["is_current"] == true).collect();
    assert_eq!((current.len(), &current[0]["id"]), (1, &third.id.as_str().into()));
    let manifest = get(&app, &format!("/v1/mma/snapshots/{}", first.id)).await.data();
    let events = manifest["tables"].as_array().unwrap().iter().find(|t| t["name"] == "events").unwrap();
    assert_eq!(events["sha256"], first.table("events").unwrap().sha256.as_str());
    let counts = get(&app, "/v1/mma/counts").await.data();
    assert_eq!(
        (&counts["tables"]["events"], &counts["tables"]["wire"]),
        (&4.into(), &serde_json::Value::Null)
    );
    watching.abort();
}
