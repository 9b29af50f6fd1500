//! The list of published snapshots, as the files of a lake change under it.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use fdna_lake::Lake;
use fdna_server::{LakeSource, ServingState, SnapshotSource, router, watch_snapshots};
use serde_json::json;
use tempfile::TempDir;

use crate::common::{Reply, clock, get, once, request};
use crate::lake::{now, overwrite, publish, until};

/// A lake with three snapshots, the last of them served.
struct Three {
    folder: TempDir,
    ids: [String; 3],
    app: Router,
}

impl Three {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        let writer = lake.writer("test", now()).unwrap();
        let published = ["first", "second", "third"].map(|mark| publish(&writer, mark).id);
        writer.set_current(&published[2], now()).unwrap();
        let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(lake.clone()));
        let served = Arc::new(ServingState::new(None, clock()).with_source(Arc::clone(&source)));
        tokio::spawn(watch_snapshots(Arc::clone(&served), source, Duration::from_millis(2)));
        until("the third is served", || served.dataset().is_some()).await;
        Self { folder, ids: published.map(|id| id.to_string()), app: router(served) }
    }

    fn manifest(&self, place: usize) -> PathBuf {
        self.folder.path().join(format!("lake/snapshots/{}/manifest.json", self.ids[place]))
    }

    async fn listed(&self) -> Vec<String> {
        let list = get(&self.app, "/v1/mma/snapshots").await.data();
        list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    }

    async fn one(&self, place: usize) -> Reply {
        get(&self.app, &format!("/v1/mma/snapshots/{}", self.ids[place])).await
    }

    /// Waits until so many are listed: a file that changes where it stands is noticed within a second.
    async fn until_listed(&self, count: usize) {
        for _ in 0..100 {
            // Asked once: of two answers, the second may be of the changed file.
            let list = once(&self.app, request("GET", "/v1/mma/snapshots", &[])).await.data();
            if list.as_array().unwrap().len() == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never {count}: {:?}", self.listed().await);
    }
}

#[tokio::test]
async fn a_manifest_is_not_read_again_while_its_file_stays_as_it_is() {
    let three = Three::new().await;
    assert_eq!(three.listed().await.len(), 3);
    let path = three.manifest(0);
    let (written, length) =
        (fs::metadata(&path).unwrap().modified().unwrap(), fs::read(&path).unwrap().len());
    // It takes the place of the manifest with its time: the server may look at any moment.
    let damaged = path.with_extension("damaged");
    overwrite(&damaged, &vec![b'x'; length]);
    OpenOptions::new().write(true).open(&damaged).unwrap().set_modified(written).unwrap();
    fs::rename(&damaged, &path).unwrap();
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!((three.listed().await.len(), three.one(0).await.status.as_u16()), (3, 200));
    OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(written + Duration::from_secs(5))
        .unwrap();
    three.until_listed(2).await;
}

#[tokio::test]
async fn a_damaged_manifest_hides_its_own_snapshot_and_is_told_of() {
    let three = Three::new().await;
    assert_eq!(get(&three.app, "/readyz").await.json()["damaged_snapshots"], json!([]));
    let whole = fs::read(three.manifest(0)).unwrap();
    overwrite(&three.manifest(0), &whole[..whole.len() / 2]);
    three.until_listed(2).await;
    assert_eq!(three.listed().await, [three.ids[2].clone(), three.ids[1].clone()]);
    let damaged = three.one(0).await;
    assert_eq!(damaged.status.as_u16(), 503);
    assert_eq!(damaged.json()["error"]["code"], "snapshot_not_available");
    assert_eq!(three.one(1).await.status.as_u16(), 200);
    let ready = get(&three.app, "/readyz").await.json();
    assert_eq!((&ready["status"], &ready["damaged_snapshots"]), (&json!("ready"), &json!([three.ids[0]])));
    overwrite(&three.manifest(0), &whole);
    three.until_listed(3).await;
    assert_eq!(get(&three.app, "/readyz").await.json()["damaged_snapshots"], json!([]));
}

#[tokio::test]
async fn what_is_no_file_holds_nobody_up() {
    let three = Three::new().await;
    fs::remove_file(three.manifest(0)).unwrap();
    assert!(Command::new("mkfifo").arg(three.manifest(0)).status().unwrap().success());
    three.until_listed(2).await;
    assert_eq!(three.one(0).await.status.as_u16(), 503);
    assert_eq!(get(&three.app, "/readyz").await.json()["damaged_snapshots"], json!([three.ids[0]]));
    // And one that is gone is unknown.
    fs::remove_dir_all(three.manifest(0).parent().unwrap()).unwrap();
    three.until_listed(2).await;
    assert_eq!(three.one(0).await.status.as_u16(), 404);
    assert_eq!(get(&three.app, "/readyz").await.json()["damaged_snapshots"], json!([]));
}
