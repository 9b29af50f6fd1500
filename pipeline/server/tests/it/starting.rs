//! The first snapshot, whose Fight DNA comes after the rest.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use fdna_lake::Lake;
use fdna_server::{Dataset, LakeSource, LoadError, ServingState, SnapshotSource, router, watch_snapshots};
use tempfile::TempDir;

use crate::common::{Reply, clock, get, once, request};
use crate::lake::{now, overwrite, pointer_to, publish, until};

const DNA: &str = "/v1/mma/fighters/fa/dna";

/// A lake that gives what comes after the rest when the test says so.
struct Gated {
    lake: LakeSource,
    gate: Mutex<Receiver<()>>,
}

impl SnapshotSource for Gated {
    fn current(&self) -> Result<Option<String>, LoadError> {
        self.lake.current()
    }

    fn load(&self, id: &str) -> Result<Dataset, LoadError> {
        self.lake.load(id)
    }

    fn load_rest(&self, dataset: &Dataset) -> Result<(), LoadError> {
        // Whoever is gone lets everything pass.
        let _ = self.gate.lock().unwrap().recv();
        self.lake.load_rest(dataset)
    }
}

/// A lake that is followed.
struct Followed {
    folder: TempDir,
    lake: Lake,
    served: Arc<ServingState>,
    app: Router,
    gate: Sender<()>,
}

impl Followed {
    /// A lake with one snapshot, its DNA damaged or not, that begins to be followed.
    fn new(is_damaged: bool) -> (Self, String) {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        let served = Arc::new(ServingState::new(None, clock()));
        let (gate, opened) = channel();
        let followed = Self { folder, lake, app: router(Arc::clone(&served)), served, gate };
        let writer = followed.lake.writer("test", now()).unwrap();
        let first = publish(&writer, "first");
        writer.set_current(&first.id, now()).unwrap();
        if is_damaged {
            followed.damage(first.id.as_str());
        }
        let source = Gated { lake: LakeSource::new(followed.lake.clone()), gate: Mutex::new(opened) };
        tokio::spawn(watch_snapshots(
            Arc::clone(&followed.served),
            Arc::new(source),
            Duration::from_millis(2),
        ));
        (followed, first.id.to_string())
    }

    /// Another snapshot becomes the current one. The pointer is moved behind the lake's back, which would look first.
    fn next(&self, mark: &str, before: &str, is_damaged: bool) -> String {
        let next = publish(&self.lake.writer("test", now()).unwrap(), mark).id.to_string();
        if is_damaged {
            self.damage(&next);
        }
        let pointer = self.folder.path().join("lake/current.json");
        let text = std::fs::read_to_string(&pointer).unwrap();
        assert!(text.contains(before), "{text}");
        overwrite(&pointer, pointer_to(&next).as_bytes());
        next
    }

    fn damage(&self, id: &str) {
        let path = self.folder.path().join(format!("lake/snapshots/{id}/tables/dna_versions.parquet"));
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        overwrite(&path, &bytes);
    }

    async fn served(&self, id: &str) {
        until("it is served", || self.served.dataset().is_some_and(|d| d.snapshot_id() == id)).await;
    }

    async fn asked(&self, path: &'static str) -> tokio::task::JoinHandle<Reply> {
        let app = self.app.clone();
        let asking = tokio::spawn(async move { once(&app, request("GET", path, &[])).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        asking
    }

    async fn is_complete(&self) -> bool {
        get(&self.app, "/readyz").await.json()["is_complete"] == true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_starts_answers_cards_before_fight_dna_is_read() {
    let (followed, id) = Followed::new(false);
    followed.served(&id).await;
    assert!(!followed.is_complete().await);
    for path in ["/v1/mma/events/e1/card?include=stats", "/v1/mma/fighters/fa", "/v1/mma/bouts/b1/stats"] {
        assert_eq!(get(&followed.app, path).await.status.as_u16(), 200, "{path}");
    }
    let late = ["/v1/mma/search?q=quandle", "/v1/mma/changes", "/v1/mma/fighters/fa/splits", DNA];
    let mut waiting = Vec::new();
    for path in late {
        let asking = followed.asked(path).await;
        assert!(!asking.is_finished(), "{path}");
        waiting.push(asking);
    }
    followed.gate.send(()).unwrap();
    for asking in waiting {
        assert_eq!(asking.await.unwrap().status.as_u16(), 200);
    }
    assert!(followed.is_complete().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_turns_out_to_be_damaged_after_the_start_is_served_no_more() {
    let (followed, id) = Followed::new(true);
    followed.served(&id).await;
    let asking = followed.asked(DNA).await;
    assert!(!asking.is_finished());
    followed.gate.send(()).unwrap();
    let reply = asking.await.unwrap();
    assert_eq!(reply.status.as_u16(), 503);
    assert_eq!(reply.json()["error"]["code"], "snapshot_not_available");
    until("it is taken back", || followed.served.dataset().is_none()).await;
    let ready = get(&followed.app, "/readyz").await;
    assert_eq!(ready.status.as_u16(), 503);
    assert!(ready.json()["problem"].as_str().unwrap().contains("dna_versions"), "{}", ready.json());
    assert_eq!(get(&followed.app, "/v1/mma/events/e1").await.status.as_u16(), 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_snapshot_is_whole_before_it_replaces_another_and_a_damaged_one_never_does() {
    let (followed, first) = Followed::new(false);
    followed.gate.send(()).unwrap();
    followed.served(&first).await;
    let second = followed.next("second", &first, false);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(get(&followed.app, DNA).await.header("x-snapshot-id"), first);
    followed.gate.send(()).unwrap();
    followed.served(&second).await;
    assert!(followed.is_complete().await);
    let third = followed.next("third", &second, true);
    followed.gate.send(()).unwrap();
    until("the damage is told", || followed.served.problem().is_some_and(|p| p.contains(&third))).await;
    assert_eq!(get(&followed.app, DNA).await.header("x-snapshot-id"), second);
    assert_eq!(get(&followed.app, "/readyz").await.json()["status"], "degraded");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_damaged_under_a_server_makes_it_unready_until_it_is_mended() {
    const QUERY: &str = "/v1/mma/dna/query?metric=sig_landed_per_min&active=all";
    let (followed, id) = Followed::new(false);
    followed.gate.send(()).unwrap();
    followed.served(&id).await;
    let asked = async |path: &str| once(&followed.app, request("GET", path, &[])).await;
    assert_eq!(asked(DNA).await.status.as_u16(), 200);
    let path = followed.folder.path().join(format!("lake/snapshots/{id}/tables/dna_versions.parquet"));
    let good = std::fs::read(&path).unwrap();
    overwrite(&path, &good.iter().map(|byte| byte ^ 1).collect::<Vec<_>>());
    // Of a metric that nobody has asked for, the columns are still in the file.
    let reply = asked(QUERY).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (500, &"internal".into()));
    let ready = asked("/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (503, &"unavailable".into()));
    assert!(ready.json()["problem"].as_str().unwrap().contains("a file of the snapshot"), "{}", ready.json());
    // What is in memory is as right as before.
    assert_eq!(asked("/v1/mma/events/e1").await.status.as_u16(), 200);
    followed.gate.send(()).unwrap();
    let is_told = || followed.served.problem().is_some_and(|problem| problem.contains("dna_versions"));
    until("it cannot be loaded anew", is_told).await;
    overwrite(&path, &good);
    followed.gate.send(()).unwrap();
    until("it is mended", || followed.served.problem().is_none()).await;
    assert_eq!(asked("/readyz").await.status.as_u16(), 200);
    assert_eq!(asked(QUERY).await.status.as_u16(), 200);
}
