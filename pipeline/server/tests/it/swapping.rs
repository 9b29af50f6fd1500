//! New snapshots under load, and snapshots that cannot be loaded.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fdna_server::{Dataset, DatasetError, LoadError, ServingState, SnapshotSource, router, watch_snapshots};
use serde_json::json;

use crate::common::{clock, get, once, request, served};
use crate::snapshot::{bout, broken, dataset, fighter, info, table, tables};

/// A source whose pointer the test moves; `bad…` cannot be loaded.
#[derive(Default)]
pub(crate) struct Moving {
    current: Mutex<Option<String>>,
    loads: AtomicUsize,
}

impl Moving {
    pub(crate) fn at(id: &str) -> Arc<Self> {
        let source = Arc::new(Self::default());
        source.point(id);
        source
    }

    pub(crate) fn point(&self, id: &str) {
        *self.current.lock().unwrap() = Some(id.to_owned());
    }
}

impl SnapshotSource for Moving {
    fn current(&self) -> Result<Option<String>, LoadError> {
        Ok(self.current.lock().unwrap().clone())
    }

    fn load(&self, id: &str) -> Result<Dataset, LoadError> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        match id {
            "panics" => panic!("a fault in loading"),
            bad if bad.starts_with("bad") => Ok(broken()?),
            id => Ok(dataset(id)),
        }
    }
}

async fn until(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("never: {what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_or_mixes_snapshots_while_fifty_are_swapped() {
    let served = served("s0");
    let app = router(Arc::clone(&served));
    let done = Arc::new(AtomicBool::new(false));
    let asking = (0..2).map(|_| {
        let (app, done) = (app.clone(), Arc::clone(&done));
        tokio::spawn(async move {
            let mut asked = 0;
            while !done.load(Ordering::Relaxed) || asked == 0 {
                let reply = once(&app, request("GET", "/v1/mma/events/e1/card", &[])).await;
                let name = reply.data()["event"]["name"].as_str().unwrap().to_owned();
                assert!(name.ends_with(&format!(" of {}", reply.header("x-snapshot-id"))), "{name}");
                let dna = once(&app, request("GET", "/v1/mma/fighters/fa/dna", &[])).await;
                assert_eq!(
                    dna.data()["metrics"][0]["provenance"]["snapshot_id"],
                    dna.header("x-snapshot-id")
                );
                asked += 1;
            }
            asked
        })
    });
    let asking: Vec<_> = asking.collect();
    for i in 1..=50 {
        served.publish(dataset(&format!("s{i}")));
        tokio::task::yield_now().await;
    }
    done.store(true, Ordering::Relaxed);
    for task in asking {
        assert!(task.await.unwrap() > 0);
    }
    assert_eq!(get(&app, "/v1/mma/events").await.header("x-snapshot-id"), "s50");
}

#[tokio::test]
async fn the_watcher_follows_the_pointer_and_keeps_the_old_when_the_new_is_broken() {
    let (source, served) = (Moving::at("s1"), Arc::new(ServingState::new(None, clock())));
    let watching = tokio::spawn(watch_snapshots(
        Arc::clone(&served),
        Arc::clone(&source) as Arc<dyn SnapshotSource>,
        Duration::from_millis(1),
    ));
    until("s1 is served", || served.dataset().is_some()).await;
    for bad in ["bad1", "panics"] {
        source.point(bad);
        until("the problem is told", || served.problem().is_some_and(|p| p.contains(bad))).await;
        let reply = get(&router(Arc::clone(&served)), "/readyz").await;
        assert_eq!(reply.status.as_u16(), 200);
        assert_eq!(
            (&reply.json()["status"], &reply.json()["snapshot_id"]),
            (&"degraded".into(), &"s1".into())
        );
        assert!(reply.json()["problem"].as_str().unwrap().contains(bad));
    }
    source.point("s2");
    until("s2 is served", || served.dataset().is_some_and(|d| d.snapshot_id() == "s2")).await;
    assert_eq!(served.problem(), None);
    watching.abort();
}

#[tokio::test]
async fn a_broken_snapshot_is_not_loaded_over_and_over() {
    let (source, served) = (Moving::at("bad"), Arc::new(ServingState::new(None, clock())));
    let watching = tokio::spawn(watch_snapshots(
        Arc::clone(&served),
        Arc::clone(&source) as Arc<dyn SnapshotSource>,
        Duration::from_millis(20),
    ));
    until("the problem is told", || served.problem().is_some()).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(source.loads.load(Ordering::SeqCst), 1);
    watching.abort();
}

#[test]
fn tables_that_do_not_fit_together_are_refused() {
    let mut tables = self::tables("x");
    tables.fighters = table("fighters", vec![]);
    assert!(matches!(
        Dataset::build(info("x"), &tables),
        Err(DatasetError::Dangling { what: "fighter", .. })
    ));
    let mut tables = self::tables("x");
    tables.results = table(
        "results",
        vec![json!({"bout_id": bout("b1").to_string(), "outcome": "win",
        "winner_id": fighter("fc").to_string(), "method": "other"})],
    );
    assert!(matches!(Dataset::build(info("x"), &tables), Err(DatasetError::Dangling { what: "winner", .. })));
    let mut tables = self::tables("x");
    tables.events = tables.fighters.clone();
    assert!(matches!(Dataset::build(info("x"), &tables), Err(DatasetError::Column(_))));
}
