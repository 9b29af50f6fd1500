//! Who did what, and what changed: the audit, the list of changes and its streams, on both databases.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use chrono::TimeDelta;
use fdna_gateway::key::KeyProduct;
use fdna_gateway::scope::KeyScope;
use fdna_leads::store::erasure::Contact;
use fdna_leads::store::events::{Action, EventQuery, LeadEvent};
use fdna_leads::store::{Author, LeadStore};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::common::{Client, Served, at, issue_with, runtime, serve_store};
use crate::postgres_server::Server;

/// A check with the address of each database there is.
fn on_both(check: impl Fn(&std::path::Path, String)) {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), folder.path().join("leads.db").to_str().unwrap().to_owned());
    let Some(postgres) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), postgres.address());
}

fn make(client: &Client, n: usize) -> Uuid {
    let body = format!(r#"{{"name":"Person {n}","email":"person{n}@example.com"}}"#);
    let made = client.call("POST", "/v1/leads", &[], Some(&body));
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["data"]["id"].as_str().unwrap().parse().unwrap()
}

fn audit(address: &str, query: &EventQuery) -> Vec<LeadEvent> {
    runtime().block_on(async {
        let store = LeadStore::open_existing(address).await.unwrap();
        let events = store.list_events(&EventQuery { limit: 1000, ..query.clone() }).await.unwrap();
        store.close().await;
        events
    })
}

#[test]
fn who_did_what_is_kept_and_an_erased_lead_is_in_it_no_more() {
    on_both(|folder, address| {
        let other = issue_with(folder, KeyProduct::Leads, "other", KeyScope::ALL.iter().copied().collect());
        let server = serve_store(folder, address.clone(), |_| {});
        let client = server.client();
        let (first, second) = (make(&client, 1), make(&client, 2));
        let path = format!("/v1/leads/{first}");
        let read = client.call("GET", &path, &[], None);
        client.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#));
        client.call("GET", "/v1/leads?email=person1@example.com", &[], None);
        client.call("GET", "/v1/leads", &[], None);
        client.call("GET", "/v1/leads/01890000-0000-7000-8000-000000000000", &[], None);
        make(&Client::new(server.url.clone(), other), 3);
        // An ordered stop writes what waits.
        let request_id = read.header("x-request-id").to_owned();
        drop(server);
        let events = audit(&address, &EventQuery::default());
        let told: Vec<(Action, Option<Uuid>, i64)> =
            events.iter().map(|event| (event.action, event.lead, event.leads)).collect();
        for wanted in [
            (Action::Created, Some(first), 1),
            (Action::Created, Some(second), 1),
            (Action::Read, Some(first), 1),
            (Action::Changed, Some(first), 1),
            (Action::Searched, None, 1),
            (Action::Listed, None, 2),
        ] {
            assert_eq!(told.iter().filter(|event| **event == wanted).count(), 1, "{wanted:?} {told:?}");
        }
        assert_eq!(events.len(), 7);
        let of_read = events.iter().find(|event| event.action == Action::Read).unwrap();
        assert_eq!(of_read.request_id.as_deref(), Some(request_id.as_str()));
        assert!(events.iter().all(|event| event.key_id.is_some() && event.request_id.is_some()));
        let of = |query: EventQuery| audit(&address, &query);
        assert_eq!(of(EventQuery { lead: Some(first), ..EventQuery::default() }).len(), 3);
        assert_eq!(of(EventQuery { account: Some("other".to_owned()), ..EventQuery::default() }).len(), 1);
        let since = Some(of_read.at + TimeDelta::days(1));
        assert!(of(EventQuery { since, ..EventQuery::default() }).is_empty());

        runtime().block_on(async {
            let store = LeadStore::open_existing(&address).await.unwrap();
            // Read, and erased before that is written.
            let by = Author::by_key(1, "crm".into(), of_read.at);
            store.note_read(first, &by).await.unwrap();
            store.note_read(second, &by).await.unwrap();
            let operator = Author::by_operator("erase", of_read.at);
            store.erase_contact(&Contact::Email("person1@example.com".to_owned()), operator).await.unwrap();
            store.write_reads().await.unwrap();
            store.close().await;
        });
        assert!(of(EventQuery { lead: Some(first), ..EventQuery::default() }).is_empty());
        let events = of(EventQuery::default());
        assert_eq!(events.len(), 10);
        let erased = events.iter().find(|event| event.action == Action::Erased).unwrap();
        assert_eq!(
            (erased.lead, erased.leads, erased.command.as_deref(), erased.account.as_deref()),
            (None, 1, Some("erase"), Some("crm"))
        );
        runtime().block_on(async {
            assert_eq!(LeadStore::verify_store(&address, of_read.at).await.unwrap(), [""; 0]);
            let store = LeadStore::open_existing(&address).await.unwrap();
            assert_eq!(store.forget_events(of_read.at - TimeDelta::days(1)).await.unwrap(), 0);
            assert_eq!(store.forget_events(of_read.at + TimeDelta::days(1)).await.unwrap(), 10);
            store.close().await;
        });
    });
}

fn changes(client: &Client, query: &str) -> Value {
    let answer = client.call("GET", &format!("/v1/leads/changes?{query}"), &[], None);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

#[test]
fn changes_of_an_account_are_listed_in_their_order() {
    on_both(|folder, address| {
        let own: Vec<KeyScope> = vec![KeyScope::Create];
        let form = issue_with(folder, KeyProduct::Leads, "crm", own.into_iter().collect());
        let other = issue_with(folder, KeyProduct::Leads, "other", KeyScope::ALL.iter().copied().collect());
        let server = serve_store(folder, address.clone(), |_| {});
        let client = server.client();
        assert_eq!(
            changes(&client, "")["meta"],
            json!({"next": 0, "last": 0, "has_more": false, "limit": 100})
        );
        let (first, second) = (make(&client, 1), make(&client, 2));
        make(&Client::new(server.url.clone(), other.clone()), 3);
        let path = format!("/v1/leads/{second}");
        client.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#));
        client.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#));
        let told = |list: &Value| -> Vec<(i64, String, String)> {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let of = |change: &Value| {
                assert_eq!(change["account"], "crm");
                (change["seq"].as_i64().unwrap(), text(&change["type"]), text(&change["lead_id"]))
            };
            list["data"].as_array().unwrap().iter().map(of).collect()
        };
        let (created, changed, erased) = ("lead.created", "lead.changed", "lead.erased");
        let wanted = |seq: i64, kind: &str, lead: Uuid| (seq, kind.to_owned(), lead.to_string());
        let all = changes(&client, "after=0");
        assert_eq!(
            told(&all),
            [wanted(1, created, first), wanted(2, created, second), wanted(3, changed, second)]
        );
        assert!(!all.to_string().contains("person"), "{all}");
        let page = changes(&client, "limit=2");
        assert_eq!(page["meta"], json!({"next": 2, "last": 3, "has_more": true, "limit": 2}));
        assert_eq!(told(&changes(&client, "after=2")), [wanted(3, changed, second)]);
        // What is erased is told as that alone.
        client.call("DELETE", &path, &[], None);
        client.call("DELETE", &path, &[], None);
        assert_eq!(told(&changes(&client, "")), [wanted(1, created, first), wanted(4, erased, second)]);
        let other = Client::new(server.url.clone(), other);
        assert_eq!(changes(&other, "")["data"].as_array().unwrap().len(), 1);
        for query in ["after=5", "after=-1", "after=x", "limit=1001", "limit=0", "since=1"] {
            let refused = client.call("GET", &format!("/v1/leads/changes?{query}"), &[], None);
            assert_eq!((refused.status, refused.code().as_str()), (400, "invalid_parameter"), "{query}");
        }
        let form = Client::new(server.url.clone(), form);
        for path in ["/v1/leads/changes", "/v1/leads/changes/stream"] {
            assert_eq!(form.call("GET", path, &[], None).code(), "read_scope_required");
            assert_eq!(client.call("POST", path, &[], Some("{}")).header("allow"), "GET, HEAD");
        }
        drop(server);
        runtime().block_on(async {
            let store = LeadStore::open_existing(&address).await.unwrap();
            store.forget_events(at("2100-01-01T00:00:00Z")).await.unwrap();
            store.close().await;
        });
        let server = serve_store(folder, address, |_| {});
        let client = Client::new(server.url.clone(), other_key(folder, "crm"));
        let gone = client.call("GET", "/v1/leads/changes?after=3", &[], None);
        assert_eq!((gone.status, gone.code().as_str()), (410, "changes_not_kept"));
        assert_eq!(changes(&client, "after=4")["meta"]["last"], 4);
        make(&client, 9);
        assert_eq!(changes(&client, "")["data"][0]["seq"], 5);
    });
}

fn other_key(folder: &std::path::Path, account: &str) -> String {
    let key = issue_with(folder, KeyProduct::Leads, account, KeyScope::ALL.iter().copied().collect());
    std::thread::park_timeout(Duration::from_millis(1500));
    key
}

/// Every change is numbered, whichever order transactions end in.
#[test]
fn a_reader_of_changes_misses_none_of_writers_at_work() {
    on_both(|folder, address| {
        let server = serve_store(folder, address, |_| {});
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|_| {
                    let client = server.client();
                    scope.spawn(move || (0..40).for_each(|n| assert!(!make(&client, n).is_nil())))
                })
                .collect();
            let reader = scope.spawn(|| {
                let (client, mut after, mut leads) = (server.client(), 0, std::collections::BTreeSet::new());
                loop {
                    let is_last = done.load(std::sync::atomic::Ordering::Acquire);
                    let page = changes(&client, &format!("after={after}&limit=9"));
                    for change in page["data"].as_array().unwrap() {
                        assert!(change["seq"].as_i64() > Some(after));
                        leads.insert(change["lead_id"].to_string());
                    }
                    after = page["meta"]["next"].as_i64().unwrap();
                    if is_last && page["meta"]["has_more"] == false {
                        return leads.len();
                    }
                }
            });
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            done.store(true, std::sync::atomic::Ordering::Release);
            assert_eq!(reader.join().unwrap(), 160);
        });
    });
}

/// Lines of a stream.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(server: &Served, key: &str, more: &str) -> Self {
        let host = server.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = format!(
            "GET /v1/leads/changes/stream HTTP/1.1\r\nhost: {host}\r\nx-api-key: {key}\r\n{more}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        Self(BufReader::new(stream))
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.0.read_line(&mut line).unwrap_or(0) > 0).then(|| line.trim_end().to_owned())
    }

    /// Its id, its name and its data.
    fn event(&mut self) -> Option<(String, String, Value)> {
        let (mut id, mut name) = (String::new(), String::new());
        loop {
            let line = self.line()?;
            match line.split_once(": ") {
                Some(("id", text)) => id = text.to_owned(),
                Some(("event", text)) => name = text.to_owned(),
                Some(("data", text)) => return Some((id, name, serde_json::from_str(text).unwrap())),
                _ => {}
            }
        }
    }
}

#[test]
fn a_stream_brings_the_changes_of_its_account_as_they_come() {
    on_both(|folder, address| {
        let other = issue_with(folder, KeyProduct::Leads, "other", KeyScope::ALL.iter().copied().collect());
        let server = serve_store(folder, address.clone(), |_| {});
        let client = server.client();
        make(&client, 1);
        let mut stream = Stream::open(&server, &server.key, "");
        assert_eq!(stream.event().unwrap(), ("1".to_owned(), "position".to_owned(), json!({"seq": 1})));
        make(&Client::new(server.url.clone(), other), 2);
        let begun = std::time::Instant::now();
        let lead = make(&client, 3);
        let (id, name, change) = stream.event().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert_eq!((id.as_str(), name.as_str()), ("2", "change"));
        assert_eq!((&change["type"], &change["lead_id"]), (&json!("lead.created"), &json!(lead.to_string())));
        assert_eq!(change["account"], "crm");
        let fields: Vec<&String> = change.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["account", "at", "lead_id", "seq", "type"]);
        client.call("DELETE", &format!("/v1/leads/{lead}"), &[], None);
        assert_eq!(stream.event().unwrap().2["type"], "lead.erased");
        // What another process does comes, too.
        runtime().block_on(async {
            let store = LeadStore::open_existing(&address).await.unwrap();
            let by = Author::by_operator("erase", at("2026-11-24T10:00:00Z"));
            store.erase_contact(&Contact::Email("person1@example.com".to_owned()), by).await.unwrap();
            store.close().await;
        });
        assert_eq!(stream.event().unwrap().0, "4");
        let mut behind = Stream::open(&server, &server.key, "last-event-id: 2\r\n");
        assert_eq!((behind.event().unwrap().0, behind.event().unwrap().0), ("3".to_owned(), "4".to_owned()));
        let mut unknown = Stream::open(&server, &server.key, "last-event-id: 99\r\n");
        let reset = json!({"reason": "event_not_known", "last_event_id": "99", "seq": 4});
        assert_eq!(unknown.event().unwrap(), ("4".to_owned(), "reset".to_owned(), reset));
        assert!(Stream::open(&server, &server.key, "last-event-id: x\r\n").line().unwrap().contains("400"));
        // So many of one account, whose places come back.
        let mut more: Vec<Stream> = (0..5).map(|_| Stream::open(&server, &server.key, "")).collect();
        more.iter_mut().for_each(|stream| assert!(stream.line().unwrap().contains("200")));
        assert!(Stream::open(&server, &server.key, "").line().unwrap().contains("503"));
        drop(more);
        // A stop ends them.
        drop(server);
        assert_eq!(stream.event(), None);
    });
}
