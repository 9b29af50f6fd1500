//! A server that answers as its path says: `/slow` after a while, `/large` with many megabytes, `/chunked` with as many
//! without saying how many, `/unchanged` with 304.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fdna_http::{ConnectionCounts, ConnectionLimits, Server, Tls};
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long `/slow` takes.
pub(crate) const SLOW: Duration = Duration::from_millis(700);

/// Bytes of `/large`: more than what lies between two sockets.
pub(crate) const LARGE: usize = 32 << 20;

/// A server on a free port.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) counts: Arc<ConnectionCounts>,
    pub(crate) task: JoinHandle<()>,
    stop: Option<oneshot::Sender<()>>,
}

impl Running {
    pub(crate) async fn start(limits: ConnectionLimits) -> Self {
        Self::start_with(limits, None).await
    }

    pub(crate) async fn start_with(limits: ConnectionLimits, tls: Option<Arc<Tls>>) -> Self {
        Self::start_as(limits, |server| match tls {
            Some(tls) => server.with_tls(tls),
            None => server,
        })
        .await
    }

    pub(crate) async fn start_as(limits: ConnectionLimits, change: impl FnOnce(Server) -> Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = change(Server::new(listener, limits));
        let counts = server.counts();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let shutdown = async {
                let _ = stopped.await;
            };
            server.serve(tower::service_fn(answer), shutdown).await.unwrap();
        });
        Self { address, counts, task, stop: Some(stop) }
    }

    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// A connection that has sent this.
    pub(crate) fn sent(&self, request: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(request.as_ref()).unwrap();
        stream
    }

    /// The whole answer, on a connection that ends with it.
    pub(crate) fn ask(&self, path: &str) -> String {
        read_all(self.sent(format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")))
    }
}

pub(crate) fn read_all(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A request on a connection that is kept.
pub(crate) fn kept(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
}

pub(crate) async fn until(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never: {what}");
}

async fn answer(request: Request<Incoming>) -> Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    if request.method() == Method::HEAD {
        return Ok(Response::new(Empty::new().boxed()));
    }
    let body = match request.uri().path() {
        "/slow" => {
            tokio::time::sleep(SLOW).await;
            Bytes::from_static(b"slow")
        }
        "/large" => Bytes::from(vec![b'a'; LARGE]),
        "/chunked" => {
            let piece = Bytes::from(vec![b'a'; 64 << 10]);
            let pieces = (0..LARGE / piece.len()).map(move |_| Ok(Frame::data(piece.clone())));
            return Ok(Response::new(StreamBody::new(stream::iter(pieces)).boxed()));
        }
        "/unchanged" => {
            let mut unchanged = Response::new(Empty::new().boxed());
            *unchanged.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(unchanged);
        }
        _ => Bytes::from_static(b"done"),
    };
    Ok(Response::new(Full::new(body).boxed()))
}
