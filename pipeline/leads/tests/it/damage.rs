//! Stores of leads that are damaged, cut, empty or another product's: what is lost is never told as absent.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use fdna_gateway::database::FaultCause;
use fdna_gateway::key::KeyProduct;
use fdna_leads::store::{LeadStore, StoreError};
use uuid::Uuid;

use crate::common::{at, issue, runtime, serve};
use crate::store::{connect, execute, made};

/// A byte of a column's type that is no text, as of a bit that fell over; connections that are open read it, too.
const DAMAGE: &str = "PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'metadata TEXT', 'metadata TE' || CAST(x'ff' AS TEXT) || 'T')
        WHERE name = 'leads';
    PRAGMA schema_version = 1000";

fn is_damage(error: &StoreError) -> bool {
    error.fault() == FaultCause::Damaged && error.to_string().contains("restore a backup")
}

/// A closed store with leads, and its path.
async fn stored(folder: &Path) -> (String, Uuid) {
    let path = folder.join("leads.db").display().to_string();
    let store = LeadStore::open_store(&path).await.unwrap();
    let id = made(&store, 1).await;
    made(&store, 2).await;
    store.close().await;
    (path, id)
}

#[test]
fn a_damaged_schema_is_no_empty_store() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let (path, id) = stored(folder.path()).await;
        let store = LeadStore::open_store(&path).await.unwrap();
        // A connection that read the schema as it was, and reads it again when the next statement needs it.
        assert_eq!(store.accounts_between(id, id).await.unwrap().len(), 1);
        execute(&mut connect(folder.path()).await, DAMAGE).await;
        // Another one of the pool reads it now.
        let known = store.accounts_between(id, id).await;
        assert!(known.as_ref().map_or_else(is_damage, |known| known.contains_key(&id)), "{known:?}");
        let begun = Instant::now();
        let mut got = store.get_lead(id, None).await;
        // A connection that looked at the schema just before answers once more, and truly.
        for _ in 0..5 {
            if !got.as_ref().is_ok_and(Option::is_some) {
                break;
            }
            got = store.get_lead(id, None).await;
        }
        let got = got.unwrap_err();
        assert!(is_damage(&got), "{got}");
        for error in [
            store.export_leads(None, 9).await.unwrap_err(),
            store.probe_store(at("2026-11-24T12:00:00Z")).await.unwrap_err(),
        ] {
            assert!(is_damage(&error), "{error}");
        }
        store.close().await;
        // None of them waited for the end of the pool's patience.
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
        for opened in [LeadStore::open_store(&path).await, LeadStore::open_to_read(&path).await] {
            assert!(is_damage(&opened.unwrap_err()));
        }
        assert!(!LeadStore::verify_store(&path, at("2026-11-25T00:00:00Z")).await.unwrap().is_empty());
    });
}

#[test]
fn a_server_whose_store_is_damaged_is_unready_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve(folder.path(), |_| {});
    let body = r#"{"name":"A","email":"a@b.example"}"#;
    let lead = served.call("POST", "/v1/leads", &[], Some(body)).json()["data"]["id"].clone();
    assert_eq!(served.call("GET", "/readyz", &[], None).status, 200);
    runtime().block_on(async { execute(&mut connect(folder.path()).await, DAMAGE).await });
    let path = format!("/v1/leads/{}", lead.as_str().unwrap());
    // The first statement on a connection reads the schema again.
    served.call("GET", &path, &[], None);
    // Others may still know the schema as it was, until readiness finds it out, which closes one at a time.
    let mut lists = (0..8).map(|_| {
        if served.call("GET", "/readyz", &[], None).status == 503 {
            std::thread::park_timeout(Duration::from_millis(1100));
        }
        served.call("GET", "/v1/leads", &[], None)
    });
    let listed = lists.find(|listed| listed.status != 200).unwrap();
    assert_eq!((listed.status, listed.code()), (503, "store_not_available".to_owned()), "{listed:?}");
    let got = served.call("GET", &path, &[], None);
    assert!([200, 503].contains(&got.status), "{got:?}");
    assert_eq!(served.call("GET", "/readyz", &[], None).status, 503);
    let told = served.operator("/readyz");
    assert!(told.status == 503 && told.text.contains("damaged"), "{told:?}");
    let begun = Instant::now();
    drop(served);
    assert!(begun.elapsed() < Duration::from_secs(11), "{:?}", begun.elapsed());
}

#[test]
fn a_lost_history_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let (path, id) = stored(folder.path()).await;
        let mut other = connect(folder.path()).await;
        let store = LeadStore::open_store(&path).await.unwrap();
        assert_eq!(store.status_moves(id).await.unwrap().len(), 1);
        assert!(store.status_moves(Uuid::nil()).await.unwrap().is_empty());
        execute(&mut other, "DELETE FROM lead_moves").await;
        assert!(is_damage(&store.status_moves(id).await.unwrap_err()));
        store.close().await;
    });
}

#[test]
fn no_time_is_after_now() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let (path, _) = stored(folder.path()).await;
        let mut other = connect(folder.path()).await;
        let told = async |now| LeadStore::verify_store(&path, at(now)).await.unwrap();
        assert_eq!(told("2026-11-24T10:00:00Z").await, Vec::<String>::new(), "clocks differ by minutes");
        assert_eq!(told("2026-11-23T10:00:00Z").await.len(), 6);
        for change in ["at = 70200000000000000", "at = 1"] {
            let sql = sqlx::AssertSqlSafe(format!("UPDATE lead_moves SET {change}"));
            sqlx::raw_sql(sql).execute(&mut other).await.unwrap();
            let told = told("2026-11-25T10:00:00Z").await;
            assert!(told.len() == 2 && told[0].contains("a move after now, or before"), "{told:?}");
        }
    });
}

#[test]
fn what_is_no_store_of_leads_is_told_at_once_by_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), KeyProduct::Leads);
    runtime().block_on(async {
        let (path, _) = stored(folder.path()).await;
        let whole = std::fs::read(&path).unwrap();
        let begun = Instant::now();
        for (bytes, wanted) in
            [(vec![7; 9000], "file is not a database"), (whole[..4096 * 3].to_vec(), "malformed")]
        {
            std::fs::File::create(&path).unwrap().write_all(&bytes).unwrap();
            let error = LeadStore::open_store(&path).await.unwrap_err();
            let told = fdna_gateway::store::describe_error(&error);
            assert!(is_damage(&error) && told.contains(wanted), "{told}");
        }
        drop(std::fs::File::create(&path).unwrap());
        let error = LeadStore::open_store(&path).await.unwrap_err();
        assert!(error.to_string().contains("is empty"), "{error}");
        let keys = folder.path().join("keys.db").display().to_string();
        for error in [
            LeadStore::open_store(&keys).await.unwrap_err(),
            LeadStore::verify_store(&keys, at("2026-11-25T00:00:00Z")).await.unwrap_err(),
        ] {
            assert!(error.to_string().ends_with("is a store of keys, not of leads"), "{error}");
        }
        let folder = folder.path().display().to_string();
        let error = LeadStore::verify_store(&folder, at("2026-11-25T00:00:00Z")).await.unwrap_err();
        assert_eq!(error.fault(), FaultCause::Other, "{error}");
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    });
}
