//! Connections: timers, limits, shutdown.
//!
//! hyper-util rather than the framework's own server: that one holds half a request open for minutes.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::guard::MAX_HEADERS;
use crate::routes::router;
use crate::swap::{Clock, Served, SnapshotSource, watch};

/// Bytes of a request's header, at most.
const MAX_HEADER_BYTES: u16 = 16 * 1024;

/// Silence after which the kernel asks whether the peer is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// HTTP/2 requests at a time on one connection.
const MAX_STREAMS: u32 = 64;

/// Failures of `accept` in a row after which the listener is taken for broken.
const MAX_ACCEPT_FAILURES: u32 = 100;

/// How to serve.
#[derive(Clone)]
pub struct Options {
    /// Where snapshots come from.
    pub source: Arc<dyn SnapshotSource>,
    /// Between two looks at the source's pointer.
    pub poll: Duration,
    /// A client must have sent a whole header within this time, or loses the connection.
    pub header_timeout: Duration,
    /// A connection without a new request for this long is closed.
    pub idle_timeout: Duration,
    /// What a shutdown leaves requests to finish.
    pub drain: Duration,
    /// Connections at a time; more wait to be accepted.
    pub max_connections: usize,
    /// Where images are served, for the index.
    pub media_base_url: Option<String>,
    /// The time of each request.
    pub clock: Clock,
}

impl Options {
    /// The defaults, serving from this source by this clock.
    #[must_use]
    pub fn new(source: Arc<dyn SnapshotSource>, clock: Clock) -> Self {
        Self {
            source,
            poll: Duration::from_millis(500),
            header_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(60),
            drain: Duration::from_secs(10),
            max_connections: 1024,
            media_base_url: None,
            clock,
        }
    }
}

/// Why serving ended before it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener takes no connections any more.
    #[error("accept connections")]
    Accept(#[source] io::Error),
}

/// Serves until `shutdown`, then lets requests in flight finish.
///
/// Answers at once: until a snapshot is loaded, with 503.
///
/// # Errors
/// The listener broke.
pub async fn serve(
    listener: TcpListener,
    options: Options,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let served = Served::new(options.media_base_url.clone(), options.clock.clone());
    let served = Arc::new(served.with_source(Arc::clone(&options.source)));
    let watcher = tokio::spawn(watch(Arc::clone(&served), Arc::clone(&options.source), options.poll));
    let graceful = GracefulShutdown::new();
    let router = router(served);
    let ended = tokio::select! {
        ended = accept(&listener, &router, &options, &graceful) => ended,
        () = shutdown => Ok(()),
    };
    drop(listener);
    if tokio::time::timeout(options.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were cut off at shutdown");
    }
    watcher.abort();
    ended
}

/// Ends when the process is asked to stop: SIGTERM or SIGINT.
pub async fn shutdown_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM cannot be watched");
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

async fn accept(
    listener: &TcpListener,
    router: &Router,
    options: &Options,
    graceful: &GracefulShutdown,
) -> Result<(), ServeError> {
    let slots = Arc::new(Semaphore::new(options.max_connections));
    let mut failures = 0;
    loop {
        // The semaphore is never closed, so a slot always comes.
        let slot = Arc::clone(&slots).acquire_owned().await;
        match listener.accept().await {
            Ok((stream, _)) => {
                failures = 0;
                let (router, options, watcher) = (router.clone(), options.clone(), graceful.watcher());
                tokio::spawn(async move {
                    connection(stream, router, &options, watcher).await;
                    drop(slot);
                });
            }
            Err(error) if failures >= MAX_ACCEPT_FAILURES => return Err(ServeError::Accept(error)),
            Err(error) => {
                failures += 1;
                tracing::warn!(%error, "failed to accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, router: Router, options: &Options, watcher: Watcher) {
    tune(&stream);
    let activity = Arc::new(Activity::default());
    let seen = Arc::clone(&activity);
    let service = service_fn(move |request: Request<Incoming>| {
        let (router, seen) = (router.clone(), Arc::clone(&seen));
        async move { Ok::<_, Infallible>(respond(router, request, &seen).await) }
    });
    let builder = builder(options.header_timeout);
    let served = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    tokio::select! {
        ended = watcher.watch(served) => {
            if let Err(error) = ended {
                tracing::debug!(%error, "connection ended");
            }
        }
        () = activity.lapse(options.header_timeout, options.idle_timeout) => {
            tracing::debug!("connection lapsed");
        }
    }
}

/// Small answers leave at once, and a peer that vanished without a word is noticed. A socket that takes
/// neither setting still serves.
fn tune(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE / 4);
    let tuned = stream.set_nodelay(true).and_then(|()| SockRef::from(stream).set_tcp_keepalive(&keepalive));
    if let Err(error) = tuned {
        tracing::debug!(%error, "connection not tuned");
    }
}

async fn respond(router: Router, request: Request<Incoming>, activity: &Activity) -> Response<Body> {
    activity.begun.fetch_add(1, Ordering::Relaxed);
    let response = match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    activity.ended.fetch_add(1, Ordering::Relaxed);
    response
}

fn builder(header_timeout: Duration) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_headers(MAX_HEADERS)
        .max_buf_size(usize::from(MAX_HEADER_BYTES));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::from(MAX_HEADER_BYTES))
        .max_concurrent_streams(MAX_STREAMS)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    builder
}

/// Requests of one connection. hyper's header timer begins with the first byte that is no HTTP/2
/// preface, so a client that sends nothing, or half a preface, is timed here.
#[derive(Debug, Default)]
struct Activity {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

impl Activity {
    fn now(&self) -> (usize, usize) {
        (self.begun.load(Ordering::Relaxed), self.ended.load(Ordering::Relaxed))
    }

    /// Ends when no request came in time, or none for the idle time.
    async fn lapse(&self, first: Duration, idle: Duration) {
        tokio::time::sleep(first).await;
        if self.now().0 == 0 {
            return;
        }
        loop {
            let before = self.now();
            tokio::time::sleep(idle).await;
            let (begun, ended) = self.now();
            if (begun, ended) == before && begun == ended {
                return;
            }
        }
    }
}
