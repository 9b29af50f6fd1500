//! A server of leads on a free port, with a key, and a client.

use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use chrono::{DateTime, Utc};
use fdna_gateway::key::{Environment, KeyProduct, Secret};
use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::scope::KeyScopes;
use fdna_gateway::store::{Actor, NewKey};
use fdna_http::Clock;
use fdna_leads::store::LeadStore;
use fdna_leads::{FieldRules, Options};
use serde_json::Value;
use tokio::sync::oneshot;

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(crate) fn rules() -> FieldRules {
    let statuses = ["new", "contacted", "qualified", "won", "lost"].map(str::to_owned);
    FieldRules::new(&statuses, "US".parse().unwrap()).unwrap()
}

/// A key of a product, in the key store of this folder.
pub(crate) fn issue(folder: &Path, product: KeyProduct) -> String {
    issue_with(folder, product, "crm", KeyScopes::default())
}

/// The same of an account, with scopes.
pub(crate) fn issue_with(folder: &Path, product: KeyProduct, account: &str, scopes: KeyScopes) -> String {
    let mut store = fdna_gateway::store::open_key_store(folder.join("keys.db").to_str().unwrap()).unwrap();
    let by = Actor { name: "test".to_owned(), at: at("2026-11-24T00:00:00Z") };
    let account = store.open_account(account, Plan::Developer, CustomLimits::default(), &by).unwrap();
    let secret = Secret::generate_for(product, Environment::Live).unwrap();
    let key = NewKey { scopes, ..NewKey::of_account(account.id, Environment::Live, &secret) };
    store.add_key(&key, None, &by).unwrap();
    secret.reveal().to_owned()
}

/// A server that serves until it is dropped.
pub(crate) struct Served {
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) admin: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Serves the stores of a folder; `set` changes the options.
pub(crate) fn serve(folder: &Path, set: impl FnOnce(&mut Options) + Send + 'static) -> Served {
    serve_store(folder, folder.join("leads.db").to_str().unwrap().to_owned(), set)
}

/// The same with leads in this store.
pub(crate) fn serve_store(
    folder: &Path,
    leads: String,
    set: impl FnOnce(&mut Options) + Send + 'static,
) -> Served {
    let key = issue(folder, KeyProduct::Leads);
    let keys = folder.join("keys.db");
    let (stop, stopped) = oneshot::channel();
    let (tell, told) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        runtime().block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let admin = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send((listener.local_addr().unwrap(), admin.local_addr().unwrap())).unwrap();
            #[expect(clippy::disallowed_methods, reason = "a server in a test has a clock as any other")]
            let mut options = Options::new(rules(), Clock::new(Utc::now));
            options.requests_per_key = 0;
            options.requests_per_address = 0;
            options.admin_listener = Some(admin);
            options.limits.drain_grace = std::time::Duration::ZERO;
            set(&mut options);
            let store = LeadStore::open_store(&leads).await.unwrap();
            let keys = fdna_gateway::store::open_key_store(keys.to_str().unwrap()).unwrap();
            let shutdown = async move { drop(stopped.await) };
            fdna_leads::serve(listener, store, keys, options, shutdown).await.unwrap();
        });
    });
    let (address, admin) = told.recv().unwrap();
    let (url, admin) = (format!("http://{address}"), format!("http://{admin}"));
    let served = Served { url, key, admin, stop: Some(stop), thread: Some(thread) };
    while served.ask("GET", "/healthz", &[], None).is_none() {
        std::thread::park_timeout(std::time::Duration::from_millis(10));
    }
    served
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.take().map(|stop| stop.send(()));
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of an error, whose envelope is checked.
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        assert_eq!((&body["ok"], &body["meta"]["api"]), (&Value::Bool(false), &"leads".into()), "{body}");
        assert_eq!(body["meta"]["request_id"], self.header("x-request-id"), "{body}");
        body["error"]["code"].as_str().unwrap().to_owned()
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true);
    config.build().into()
}

impl Served {
    /// `None` if nobody answers. Headers that are given come in place of the usual ones.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Option<Answer> {
        ask(&agent(), &format!("{}{path}", self.url), method, headers, body)
    }

    /// A page of the operator's.
    pub(crate) fn operator(&self, path: &str) -> Answer {
        ask(&agent(), &format!("{}{path}", self.admin), "GET", &[], None).unwrap()
    }

    /// With the key, and a body as JSON.
    pub(crate) fn call(&self, method: &str, path: &str, more: &[(&str, &str)], body: Option<&str>) -> Answer {
        self.client().call(method, path, more, body)
    }

    /// A client that keeps its connection.
    pub(crate) fn client(&self) -> Client {
        Client { agent: agent(), url: self.url.clone(), key: self.key.clone() }
    }
}

pub(crate) struct Client {
    agent: ureq::Agent,
    pub(crate) url: String,
    pub(crate) key: String,
}

impl Client {
    pub(crate) fn new(url: String, key: String) -> Self {
        Self { agent: agent(), url, key }
    }

    pub(crate) fn try_call(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: Option<&str>,
    ) -> Option<Answer> {
        let mut headers = vec![("x-api-key", self.key.as_str())];
        if body.is_some() && !more.iter().any(|(name, _)| *name == "content-type") {
            headers.push(("content-type", "application/json"));
        }
        headers.extend(more);
        ask(&self.agent, &format!("{}{path}", self.url), method, &headers, body.map(str::as_bytes))
    }

    pub(crate) fn call(&self, method: &str, path: &str, more: &[(&str, &str)], body: Option<&str>) -> Answer {
        self.try_call(method, path, more, body).unwrap()
    }
}

fn ask(
    agent: &ureq::Agent,
    url: &str,
    method: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Option<Answer> {
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answered = match body {
        Some(body) => agent.run(request.body(body.to_vec()).unwrap()),
        None => agent.run(request.body(()).unwrap()),
    };
    let mut response = answered.ok()?;
    let text = response.body_mut().read_to_string().ok()?;
    Some(Answer { status: response.status().as_u16(), headers: response.headers().clone(), text })
}
