//! Changes that are sent to endpoints of accounts by the house's own sender.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use fdna_gateway::key::KeyProduct;
use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::scope::KeyScope;
use fdna_gateway::store::{Actor, open_key_store, open_webhook_store};
use fdna_gateway::webhooks::{
    AddedEndpoint, NewEndpoint, ReceiverPolicy, RetrySchedule, WebhookOptions, WebhookSecret,
};
use serde_json::{Value, json};

use crate::common::{Client, at, issue_with, serve_store};
use crate::postgres_server::Server;

/// A message as it came.
struct Message {
    id: String,
    time: String,
    signature: String,
    body: String,
}

/// A receiver that refuses its first message, and takes all others.
fn receive() -> (String, Receiver<Message>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/leads", listener.local_addr().unwrap());
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        for (count, stream) in listener.incoming().enumerate() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut headers = std::collections::HashMap::new();
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 2 {
                if let Some((name, value)) = line.trim_end().split_once(": ") {
                    headers.insert(name.to_lowercase(), value.to_owned());
                }
                line.clear();
            }
            let mut body = vec![0; headers["content-length"].parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            let status = if count == 0 { "500 Not yet" } else { "204 No Content" };
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            let header = |name: &str| headers[name].clone();
            let (id, time) = (header("webhook-id"), header("webhook-timestamp"));
            let signature = header("webhook-signature");
            if tell.send(Message { id, time, signature, body: String::from_utf8(body).unwrap() }).is_err() {
                return;
            }
        }
    });
    (url, told)
}

fn add_endpoint(folder: &std::path::Path, account: &str, url: &str) -> WebhookSecret {
    let keys = folder.join("keys.db");
    let by = Actor { name: "test".to_owned(), at: at("2026-11-24T00:00:00Z") };
    let mut store = open_key_store(keys.to_str().unwrap()).unwrap();
    let account = store.open_account(account, Plan::Developer, CustomLimits::default(), &by).unwrap();
    let secret = WebhookSecret::generate().unwrap();
    let new = NewEndpoint {
        account_id: account.id,
        product: KeyProduct::Leads,
        sport: None,
        url: url.to_owned(),
        secret: secret.clone(),
    };
    let added = open_webhook_store(keys.to_str().unwrap()).unwrap().add_endpoint(&new, &by).unwrap();
    assert!(matches!(added, AddedEndpoint::Added(_)));
    secret
}

fn options(folder: &std::path::Path) -> WebhookOptions {
    let store = open_webhook_store(folder.join("keys.db").to_str().unwrap()).unwrap();
    let mut options = WebhookOptions::new(store);
    options.sender.policy = ReceiverPolicy { allow_http: true, allow_private: true };
    options.schedule = RetrySchedule::new(vec![Duration::from_millis(20); 9]);
    options.intervals.poll = Duration::from_millis(20);
    options
}

#[test]
fn an_endpoint_is_sent_the_changes_of_its_account_signed_and_in_order_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    changes_are_sent(folder.path(), folder.path().join("leads.db").to_str().unwrap().to_owned());
}

#[test]
fn an_endpoint_is_sent_the_changes_of_its_account_signed_and_in_order_in_postgres() {
    let Some(postgres) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    changes_are_sent(folder.path(), postgres.address());
}

fn changes_are_sent(folder: &std::path::Path, address: String) {
    let other = issue_with(folder, KeyProduct::Leads, "other", KeyScope::ALL.iter().copied().collect());
    let (url, messages) = receive();
    let secret = add_endpoint(folder, "crm", &url);
    let webhooks = options(folder);
    let server = serve_store(folder, address.clone(), |options| options.webhooks = Some(webhooks));
    let client = server.client();
    let is_begun = || {
        let keys = open_webhook_store(folder.join("keys.db").to_str().unwrap()).unwrap().list_endpoints();
        keys.unwrap()[0].last_event_id.is_some()
    };
    let begun = std::time::Instant::now();
    while !is_begun() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::park_timeout(Duration::from_millis(20));
    }
    let person = r#"{"name":"Zoe Hidden","email":"zoe.hidden@example.com"}"#;
    let lead = client.call("POST", "/v1/leads", &[], Some(person)).json()["data"]["id"].clone();
    let path = format!("/v1/leads/{}", lead.as_str().unwrap());
    Client::new(server.url.clone(), other).call("POST", "/v1/leads", &[], Some(person));
    let next = |id: &str| {
        let message = messages.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(message.id, id, "{}", message.body);
        let own = secret.sign_message(&message.id, message.time.parse().unwrap(), &message.body);
        assert!(message.signature.split(' ').any(|signature| signature == own));
        assert!(!message.body.to_lowercase().contains("hidden"), "{}", message.body);
        serde_json::from_str::<Value>(&message.body).unwrap()
    };
    // Refused once, and sent again under its id.
    assert_eq!(next("leads:1")["type"], "lead.created");
    let created = next("leads:1");
    assert_eq!((&created["type"], &created["data"]["lead_id"]), (&json!("lead.created"), &lead));
    assert_eq!(created["data"]["account"], "crm");
    client.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#));
    assert_eq!(next("leads:2")["type"], "lead.changed");
    let metrics = server.operator("/metrics").text;
    assert!(metrics.contains("fightdna_leads_webhook_endpoints"), "{metrics}");
    // What happens while no server delivers is sent by the next.
    drop(server);
    let silent = serve_store(folder, address.clone(), |_| {});
    assert_eq!(silent.call("DELETE", &path, &[], None).status, 204);
    drop(silent);
    let webhooks = options(folder);
    let server = serve_store(folder, address, |options| options.webhooks = Some(webhooks));
    let erased = next("leads:3");
    assert_eq!((&erased["type"], &erased["data"]["lead_id"]), (&json!("lead.erased"), &lead));
    drop(server);
}
