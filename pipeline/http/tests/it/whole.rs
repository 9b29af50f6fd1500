//! Whether a request's record says that its answer was taken whole.

use std::io::Read as _;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use fdna_http::{CompletionObserver, ConnectionLimits, RequestRecord};
use http_body_util::{BodyExt as _, Empty};
use hyper::Request;
use hyper::client::conn::http2::handshake;
use hyper_util::rt::{TokioExecutor, TokioIo};

use crate::common::{Running, kept, read_all, until};

/// What was observed: method and path, and whether the answer was whole.
#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<(String, bool)>>>);

impl CompletionObserver for Records {
    fn on_complete(&self, record: &RequestRecord) {
        let asked = format!("{} {}", record.method, record.uri.path());
        self.0.lock().unwrap().push((asked, record.is_whole));
    }
}

impl Records {
    async fn next(&self, what: &str) -> (String, bool) {
        until(what, || !self.0.lock().unwrap().is_empty()).await;
        self.0.lock().unwrap().remove(0)
    }
}

async fn observed() -> (Running, Records) {
    let records = Records::default();
    let observer = Arc::new(records.clone());
    let limits = ConnectionLimits::default();
    (Running::start_as(limits, |server| server.observed_by(observer)).await, records)
}

/// With a length and in chunks, small and large, and without a body.
const ASKED: [&str; 5] = ["GET /", "GET /large", "GET /chunked", "HEAD /large", "GET /unchanged"];

fn on_a_connection_that_ends(asked: &str) -> String {
    format!("{asked} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_read_to_its_end_is_whole() {
    let (running, records) = observed().await;
    for asked in ASKED {
        let stream = running.sent(on_a_connection_that_ends(asked));
        tokio::task::spawn_blocking(move || read_all(stream)).await.unwrap();
        assert_eq!(records.next(asked).await, (asked.to_owned(), true));
    }
    // On a connection that is kept, and is not asked again.
    let mut stream = running.sent(kept("/"));
    assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
    assert_eq!(records.next("kept").await, ("GET /".to_owned(), true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_a_client_leaves_is_not_whole() {
    let (running, records) = observed().await;
    for asked in ["GET /large", "GET /chunked"] {
        let mut stream = running.sent(on_a_connection_that_ends(asked));
        assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
        drop(stream);
        assert_eq!(records.next(asked).await, (asked.to_owned(), false));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_holds_in_http_2() {
    let (running, records) = observed().await;
    let stream = tokio::net::TcpStream::connect(running.address).await.unwrap();
    let (mut sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = |asked: &str| {
        let (method, path) = asked.split_once(' ').unwrap();
        Request::builder().method(method).uri(format!("http://a{path}")).body(Empty::<Bytes>::new()).unwrap()
    };
    for asked in ASKED {
        let reply = sender.send_request(request(asked)).await.unwrap();
        reply.into_body().collect().await.unwrap();
        assert_eq!(records.next(asked).await, (asked.to_owned(), true));
    }
    for asked in ["GET /large", "GET /chunked"] {
        let reply = sender.send_request(request(asked)).await.unwrap();
        drop(reply);
        assert_eq!(records.next(asked).await, (asked.to_owned(), false));
    }
}
