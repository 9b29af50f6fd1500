//! Stores that are damaged, empty or another product's: none is taken for a new one, and nothing that is lost for absent.

use std::io::Write as _;

use fdna_gateway::database::FaultCause;
use fdna_gateway::plan::Plan;
use fdna_gateway::store::{Store, StoreError, describe_error, open_existing, open_key_store, verify_store};

use crate::common::{Keys, TestGateway, eventually};
use crate::stores::execute;
use crate::upstream::{Host, ok};

/// A byte of a column's type that is no text, as of a bit that fell over; connections that are open read it, too.
const DAMAGE: &str = "PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'shown TEXT', 'shown TE' || CAST(x'ff' AS TEXT) || 'T') WHERE name = 'keys';
    PRAGMA schema_version = 1000";

fn error_of(opened: Result<Box<dyn Store>, StoreError>) -> StoreError {
    opened.err().expect("an error")
}

/// Every call tells damage, and none that there is nothing.
#[test]
fn a_damaged_schema_is_no_empty_store() {
    let keys = Keys::new();
    keys.issue("acme", Plan::Pro);
    // Statements that this connection prepared before would be read as before.
    let mut store = keys.store();
    execute(&format!("sqlite:{}", keys.place), DAMAGE).unwrap();
    for _ in 0..3 {
        let error = store.key_registry().unwrap_err();
        assert_eq!(error.fault(), FaultCause::Damaged, "{}", describe_error(&error));
    }
    assert_eq!(store.generation().unwrap_err().fault(), FaultCause::Damaged, "no new connection is believed");
    drop(store);
    for opened in [open_key_store(&keys.place), open_existing(&keys.place)] {
        let error = error_of(opened);
        assert_eq!(error.fault(), FaultCause::Damaged);
        assert!(describe_error(&error).contains("restore a backup"), "{}", describe_error(&error));
    }
    assert!(!verify_store(&keys.place).unwrap().is_empty());
}

#[test]
fn a_schema_of_other_types_is_damaged() {
    let keys = Keys::new();
    keys.issue("acme", Plan::Pro);
    let bytes = std::fs::read(&keys.place).unwrap();
    // SQLite leaves copies where it moved the schema from.
    let places = || bytes.windows(10).enumerate().filter(|(_, part)| part == b"shown TEXT").map(|(at, _)| at);
    assert!(places().count() > 0);
    for byte in [0x80, b'U'] {
        let mut damaged = bytes.clone();
        places().for_each(|at| damaged[at + 8] = byte);
        std::fs::File::create(&keys.place).unwrap().write_all(&damaged).unwrap();
        let error = error_of(open_existing(&keys.place));
        assert_eq!(error.fault(), FaultCause::Damaged, "{byte}: {}", describe_error(&error));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_whose_store_is_damaged_says_so_and_knows_its_keys() {
    let (host, keys) = (Host::start(|_| ok("{}")).await, Keys::new());
    let (secret, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    assert_eq!(gateway.get("/v1/mma", &secret).await.status, 200);
    let url = format!("sqlite:{}", keys.place);
    tokio::task::spawn_blocking(move || {
        // What fails makes the gateway connect anew.
        let fails = "CREATE TRIGGER fails BEFORE INSERT ON flushes BEGIN SELECT RAISE(ROLLBACK, 'no'); END";
        execute(&url, &format!("{fails}; {DAMAGE}")).unwrap();
    })
    .await
    .unwrap();
    assert!(eventually(async || gateway.admin("/readyz").await.text().contains("damaged")).await);
    assert_eq!(gateway.get("/v1/mma", &secret).await.status, 200);
    let told = gateway.admin("/readyz").await;
    assert!(told.status == 503 && told.text().contains("damaged"), "{told:?}");
    let begun = std::time::Instant::now();
    gateway.stop().await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(11), "{:?}", begun.elapsed());
}

#[test]
fn what_is_empty_or_of_another_product_is_left_as_it_is() {
    let keys = Keys::new();
    for bytes in [&b"x"[..], b""] {
        std::fs::File::create(&keys.place).unwrap().write_all(bytes).unwrap();
        for opened in [open_key_store(&keys.place), open_existing(&keys.place)] {
            let error = error_of(opened);
            assert!(
                error.to_string().contains("is empty or cut short; restore a backup, or delete it"),
                "{error}"
            );
        }
        assert_eq!(std::fs::read(&keys.place).unwrap(), bytes);
    }
    let url = format!("sqlite:{}", keys.place);
    for (sql, owner) in [
        ("CREATE TABLE lead_meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL)", "leads"),
        ("DROP TABLE lead_meta; CREATE TABLE recipes (name TEXT)", "another program"),
    ] {
        execute(&url, sql).unwrap();
        for opened in [open_key_store(&keys.place), open_existing(&keys.place)] {
            let error = error_of(opened);
            let wanted = format!("keys.db` is a store of {owner}, not of keys");
            assert!(error.to_string().ends_with(&wanted), "{error}");
        }
    }
}

#[test]
fn the_cause_is_told_once_and_with_what_to_do() {
    let keys = Keys::new();
    std::fs::File::create(&keys.place).unwrap().write_all(&[7; 9000]).unwrap();
    let error = error_of(open_key_store(&keys.place));
    assert_eq!(error.fault(), FaultCause::Damaged);
    let text = describe_error(&error);
    assert_eq!(text.matches("file is not a database").count(), 1, "{text}");
    assert!(text.contains("restore a backup"), "{text}");
}
