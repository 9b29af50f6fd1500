//! Asks the interface, or a server on a real socket.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Request, StatusCode, header};
use chrono::{DateTime, Utc};
use fdna_server::{Clock, Options, ServingState, SnapshotSource, router, serve};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tower::ServiceExt as _;

use crate::snapshot::dataset;

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    pub(crate) fn data(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", String::from_utf8_lossy(&self.bytes));
        self.json()["data"].clone()
    }

    /// What is the same of every answer to one question; compressed, the id changes the rest.
    fn constant(&self) -> (HeaderMap, String) {
        let (mut headers, text) = (self.headers.clone(), String::from_utf8_lossy(&self.bytes));
        let id = headers.remove("x-request-id").unwrap();
        if headers.contains_key(header::CONTENT_ENCODING) {
            return (headers, String::new());
        }
        (headers, text.replace(id.to_str().unwrap(), ""))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }
}

/// A clock that stands still.
pub(crate) fn clock() -> Clock {
    clock_at("2026-01-01T00:00:00Z")
}

pub(crate) fn clock_at(instant: &str) -> Clock {
    let now: DateTime<Utc> = instant.parse().unwrap();
    Clock::new(move || now)
}

pub(crate) fn served(id: &str) -> Arc<ServingState> {
    let served = Arc::new(ServingState::new(None, clock()));
    served.publish(dataset(id));
    served
}

pub(crate) fn app() -> Router {
    router(served("s1"))
}

/// Asks; what is asked twice is answered in the same way, but for the request's id, and the second time without a
/// route if it is a plain question that has an answer.
pub(crate) async fn send(app: &Router, request: Request<Body>) -> Reply {
    let (head, _) = request.into_parts();
    let request = |head: &Parts| Request::from_parts(head.clone(), Body::empty());
    let (first, second) = (once(app, request(&head)).await, once(app, request(&head)).await);
    assert_eq!((first.status, first.constant()), (second.status, second.constant()), "{}", head.uri);
    second
}

pub(crate) async fn once(app: &Router, request: Request<Body>) -> Reply {
    let response = app.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    Reply { status: parts.status, headers: parts.headers, bytes }
}

pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "api.test");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.body(Body::empty()).unwrap()
}

pub(crate) async fn get(app: &Router, path: &str) -> Reply {
    send(app, request("GET", path, &[])).await
}

/// Data of a successful answer of a fresh app.
pub(crate) async fn data(path: &str) -> Value {
    get(&app(), path).await.data()
}

/// A server on a free port; it stops when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(source: Arc<dyn SnapshotSource>, change: impl FnOnce(&mut Options)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut options = Options { poll: Duration::from_millis(5), ..Options::new(source, clock()) };
        change(&mut options);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let shutdown = async {
                let _ = stopped.await;
            };
            serve(listener, options, shutdown).await.unwrap();
        });
        Self { address, stop: Some(stop), task }
    }

    /// Sends raw bytes and reads until the server closes or nothing comes for a while.
    pub(crate) async fn raw(&self, bytes: impl Into<Vec<u8>>) -> String {
        let (address, bytes) = (self.address, bytes.into());
        tokio::task::spawn_blocking(move || record(address, &bytes)).await.unwrap()
    }

    /// Waits until a snapshot is served.
    pub(crate) async fn ready(&self) {
        for _ in 0..400 {
            if self
                .raw(&b"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"[..])
                .await
                .contains(" 200 ")
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("not ready");
    }
}

pub(crate) fn record(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(4))).unwrap();
    // The server may close while it is still being written to.
    let _ = stream.write_all(bytes);
    let mut reply = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(n) = stream.read(&mut buffer) {
        if n == 0 {
            break;
        }
        reply.extend_from_slice(&buffer[..n]);
    }
    String::from_utf8_lossy(&reply).into_owned()
}
