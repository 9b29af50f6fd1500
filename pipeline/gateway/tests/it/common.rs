//! A gateway with a store, a clock that tests set, and a plain client.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use fdna_gateway::key::{Environment, Secret};
use fdna_gateway::plan::{CustomLimits, Plan, Plans};
use fdna_gateway::store::{self, Actor, Key, NewKey, Store};
use fdna_gateway::{Clock, GatewayError, Options, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// In the middle of a minute.
pub(crate) const NOON: &str = "2026-09-07T12:00:20Z";

/// A clock that a test sets.
#[derive(Clone)]
pub(crate) struct TestClock(Arc<Mutex<DateTime<Utc>>>);

impl TestClock {
    pub(crate) fn at(text: &str) -> Self {
        Self(Arc::new(Mutex::new(text.parse().unwrap())))
    }

    pub(crate) fn set(&self, text: &str) {
        *self.0.lock().unwrap() = text.parse().unwrap();
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// A store's file, and keys in it.
pub(crate) struct Keys {
    folder: Option<tempfile::TempDir>,
    pub(crate) place: String,
    time: TestClock,
}

impl Keys {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("keys.db").display().to_string();
        Self { folder: Some(folder), place, time: TestClock::at(NOON) }
    }

    /// In a database elsewhere.
    pub(crate) fn at(place: &str) -> Self {
        Self { folder: None, place: place.to_owned(), time: TestClock::at(NOON) }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.as_ref().unwrap().path().to_owned()
    }

    pub(crate) fn time(&self) -> &TestClock {
        &self.time
    }

    /// Who changes keys in tests, now.
    pub(crate) fn actor(&self) -> Actor {
        Actor { name: "tester".to_owned(), at: self.time.now() }
    }

    pub(crate) fn store(&self) -> Box<dyn Store> {
        store::open_key_store(&self.place).unwrap()
    }

    /// A key of a new account on this plan.
    pub(crate) fn issue(&self, account: &str, plan: Plan) -> (Secret, Key) {
        self.issue_with(account, plan, CustomLimits::default())
    }

    pub(crate) fn issue_with(&self, account: &str, plan: Plan, custom: CustomLimits) -> (Secret, Key) {
        let mut store = self.store();
        let account = store.open_account(account, plan, custom, &self.actor()).unwrap();
        let secret = Secret::generate_key(Environment::Live).unwrap();
        let key = NewKey::of_account(account.id, Environment::Live, &secret);
        let key = store.add_key(&key, None, &self.actor()).unwrap();
        (secret, key)
    }

    /// With numbers of its own.
    pub(crate) fn limited(&self, account: &str, per_minute: u64, per_month: u64) -> (Secret, Key) {
        let custom = CustomLimits {
            per_minute: Some(per_minute),
            per_month: Some(per_month),
            ..CustomLimits::default()
        };
        self.issue_with(account, Plan::Enterprise, custom)
    }
}

/// A gateway that runs.
pub(crate) struct TestGateway {
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Result<(), GatewayError>>,
}

impl TestGateway {
    pub(crate) async fn start(keys: &Keys, upstreams: &[String]) -> Self {
        Self::start_with(keys, upstreams, |_| {}).await
    }

    pub(crate) async fn start_with(
        keys: &Keys,
        upstreams: &[String],
        change: impl FnOnce(&mut Options),
    ) -> Self {
        let place = keys.place.clone();
        let store =
            tokio::task::spawn_blocking(move || store::open_key_store(&place).unwrap()).await.unwrap();
        Self::run(keys, store, upstreams, change).await
    }

    /// Over a store that is opened already.
    pub(crate) async fn start_on(keys: &Keys, store: Box<dyn Store>, upstreams: &[String]) -> Self {
        Self::run(keys, store, upstreams, |_| {}).await
    }

    async fn run(
        keys: &Keys,
        store: Box<dyn Store>,
        upstreams: &[String],
        change: impl FnOnce(&mut Options),
    ) -> Self {
        let (listener, admin) = (bind().await, bind().await);
        let (address, admin_address) = (listener.local_addr().unwrap(), admin.local_addr().unwrap());
        let time = keys.time.clone();
        let clock = Clock::new(move || time.now());
        let mut options = Options::new(upstreams.to_vec(), Plans::default_plans().unwrap(), clock);
        options.admin_listener = Some(admin);
        options.limits.drain_grace = Duration::ZERO;
        change(&mut options);
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let task = tokio::spawn(serve(listener, store, options, shutdown));
        Self { address, admin: admin_address, stop: Some(stop), task }
    }

    /// Waits until it has stopped.
    pub(crate) async fn ended(mut self) -> Result<(), GatewayError> {
        tokio::time::timeout(Duration::from_secs(20), &mut self.task).await.unwrap().unwrap()
    }

    /// Shuts down: the unused reservations are refunded.
    pub(crate) async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.ended().await.unwrap();
    }

    pub(crate) async fn get(&self, path: &str, key: &Secret) -> Reply {
        self.get_with(path, &[("X-API-Key", key.reveal())]).await
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send("GET", path, headers).await
    }

    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n");
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        Reply::parse(&raw(self.address, (request + "\r\n").as_bytes()).await)
    }

    /// A page of the admin listener.
    pub(crate) async fn admin(&self, path: &str) -> Reply {
        let request = format!("GET {path} HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n\r\n");
        Reply::parse(&raw(self.admin, request.as_bytes()).await)
    }
}

async fn bind() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

/// Sends bytes, and reads until the other side closes or is silent for long.
pub(crate) async fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let _ = stream.write_all(bytes).await;
    let mut read = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(15), stream.read_to_end(&mut read)).await;
    read
}

/// Until it holds, or for three seconds.
pub(crate) async fn eventually<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        if holds().await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned()));
        Self { status, headers: headers.collect(), body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let found: Vec<&str> = self
            .headers
            .iter()
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
            .collect();
        assert!(found.len() <= 1, "{name}: {found:?}");
        found.first().copied().unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        self.header(name).parse().unwrap_or_else(|_| panic!("{name} in {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    /// Status and error code; the envelope and its request id are checked.
    pub(crate) fn refusal(&self) -> (u16, String) {
        let body = self.json();
        assert_eq!(body["ok"], false, "{body}");
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(body["meta"]["request_id"], self.header("x-request-id"));
        assert_eq!(body["meta"]["version"], "2026-09-06.3");
        assert_eq!(self.header("x-gateway-version"), "2026-09-06.3+gw.2026-09-07.1");
        assert_eq!(self.header("cache-control"), "no-store");
        (self.status, body["error"]["code"].as_str().unwrap().to_owned())
    }
}
