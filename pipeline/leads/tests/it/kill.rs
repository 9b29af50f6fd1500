//! A server that is killed under load: what it answered is there, and nothing is there by half.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fdna_gateway::key::KeyProduct;
use fdna_leads::Options;
use fdna_leads::store::LeadStore;
use fdna_leads::store::list::LeadQuery;
use serde_json::{Value, json};

use crate::common::{Client, issue, rules, runtime};

/// The folder of the stores, for the server that is killed.
const FOLDER: &str = "FIGHTDNA_LEADS_TEST_FOLDER";

const KILLS: u32 = 100;

/// Clients at a time.
const CLIENTS: usize = 4;

/// The server: this program once more, started by the test below.
#[test]
#[ignore = "serves until it is killed, for the test of kills"]
fn server_that_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let folder = std::path::PathBuf::from(folder);
    runtime().block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let store = LeadStore::open_store(folder.join("leads.db").to_str().unwrap()).await.unwrap();
        let keys = fdna_gateway::store::open_key_store(folder.join("keys.db").to_str().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a server in a test has a clock as any other")]
        let mut options = Options::new(rules(), fdna_http::Clock::new(chrono::Utc::now));
        (options.requests_per_key, options.requests_per_address) = (0, 0);
        eprintln!("serving {address}");
        fdna_leads::serve(listener, store, keys, options, std::future::pending()).await.unwrap();
    });
}

/// What clients were told: the last state of each lead, `None` where the answer to a change did not come.
type Told = Arc<Mutex<BTreeMap<String, Option<Value>>>>;

#[test]
fn what_was_answered_survives_a_hundred_kills() {
    let folder = tempfile::tempdir().unwrap();
    let key = issue(folder.path(), KeyProduct::Leads);
    let told: Told = Told::default();
    for round in 0..KILLS {
        let mut server = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "kill::server_that_is_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(server.stderr.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("serving ")?.1.to_owned()))
            .expect("the server starts");
        let url = format!("http://{address}");
        let clients: Vec<_> = (0..CLIENTS)
            .map(|n| {
                let (client, told) = (Client::new(url.clone(), key.clone()), Arc::clone(&told));
                std::thread::spawn(move || write_until_killed(&client, &told, round, n))
            })
            .collect();
        std::thread::park_timeout(Duration::from_millis(20 + u64::from(round % 10) * 7));
        server.kill().unwrap();
        server.wait().unwrap();
        clients.into_iter().for_each(|client| client.join().unwrap());
    }
    let told = told.lock().unwrap();
    let answered = told.values().flatten().count();
    assert!(answered > usize::try_from(KILLS).unwrap(), "too few were answered: {answered}");
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        for (id, lead) in told.iter() {
            let stored = store
                .get_lead(id.parse().unwrap(), Some("crm"))
                .await
                .unwrap()
                .expect("an answered lead is there");
            if let Some(lead) = lead {
                assert_eq!(serde_json::to_value(&stored.lead).unwrap(), *lead);
            }
        }
        let all = store.export_leads(None, u32::MAX >> 1).await.unwrap();
        let page = store.list_leads(&LeadQuery { limit: 1, ..LeadQuery::default() }).await.unwrap();
        assert_eq!(i64::try_from(all.len()).unwrap(), page.total);
        for lead in &all {
            let moves = store.status_moves(lead.lead.id).await.unwrap();
            let wanted = if lead.lead.status == "new" { 1 } else { 2 };
            assert_eq!(
                (moves.len(), &moves.last().unwrap().to),
                (wanted, &lead.lead.status),
                "half a change"
            );
        }
        eprintln!("{} kills, {answered} answered leads of {}", KILLS, all.len());
        store.close().await;
    });
}

fn write_until_killed(client: &Client, told: &Told, round: u32, n: usize) {
    for count in 0.. {
        let body = json!({"name": format!("{round} {n} {count}"), "email": "a@b.example"}).to_string();
        let Some(made) = client.try_call("POST", "/v1/leads", &[], Some(&body)) else { return };
        assert_eq!(made.status, 201, "{}", made.text);
        let lead = made.json()["data"].clone();
        let id = lead["id"].as_str().unwrap().to_owned();
        told.lock().unwrap().insert(id.clone(), Some(lead));
        if count % 2 == 1 {
            // From here to the answer, either state is right.
            told.lock().unwrap().insert(id.clone(), None);
            let path = format!("/v1/leads/{id}");
            let Some(won) = client.try_call("PATCH", &path, &[], Some(r#"{"status":"won"}"#)) else { return };
            told.lock().unwrap().insert(id, Some(won.json()["data"].clone()));
        }
    }
}
