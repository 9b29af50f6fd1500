//! Accepts connections up to a cap, and ends without a failed request.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fdna_api::{ApiInfo, MMA_API};
use http_body::Body;
use hyper::body::Incoming;
use hyper::{Request, Response};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio_rustls::server::TlsStream;
use tower::Service;

use crate::connection::serve_connection;
use crate::connection_activity::{CloseReason, ConnectionActivity};
use crate::connection_counts::ConnectionCounts;
use crate::cors::Cors;
use crate::limits::ConnectionLimits;
use crate::refuse::refuse_connection;
use crate::request_record::CompletionObserver;
use crate::tls::Tls;

/// Silence after which the kernel asks whether the peer is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Failures of `accept` in a row after which the listener is taken for broken.
const MAX_ACCEPT_FAILURES: u32 = 100;

/// Between a failure of `accept` and the next try.
const PAUSE: Duration = Duration::from_millis(50);

/// Refusals being said at a time; beyond, a connection for which there is no room is closed without a word.
const MAX_REFUSALS: usize = 64;

/// Why serving ended before it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener takes no connections any more.
    #[error("cannot accept connections")]
    Accept(#[source] io::Error),
}

/// A listener with its limits.
pub struct Server {
    listener: TcpListener,
    limits: ConnectionLimits,
    counts: Arc<ConnectionCounts>,
    tls: Option<Arc<Tls>>,
    observer: Option<Arc<dyn CompletionObserver>>,
    cors: Arc<Cors>,
    api: &'static ApiInfo,
}

/// State shared by all connections of a server.
pub(crate) struct SharedState {
    pub(crate) limits: ConnectionLimits,
    pub(crate) observer: Option<Arc<dyn CompletionObserver>>,
    pub(crate) cors: Arc<Cors>,
    tls: Option<Arc<Tls>>,
    pub(crate) counts: Arc<ConnectionCounts>,
    pub(crate) phase: watch::Sender<ServerPhase>,
    /// Whether shutdown has begun: looked at by every answer.
    pub(crate) is_draining: AtomicBool,
    refusals: Arc<Semaphore>,
    api: &'static ApiInfo,
}

/// From the first connection to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerPhase {
    Serving,
    /// No new connections; every answer says that it is the last.
    Draining,
    /// Idle connections are closed.
    Closing,
}

impl Server {
    /// Nothing is accepted before [`Self::serve`].
    #[must_use]
    pub fn new(listener: TcpListener, limits: ConnectionLimits) -> Self {
        let (counts, tls, observer, cors) = Default::default();
        Self { listener, limits, counts, tls, observer, cors, api: &MMA_API }
    }

    /// Refuses connections in the name of this API; without, that of mixed martial arts.
    #[must_use]
    pub fn of_api(self, api: &'static ApiInfo) -> Self {
        Self { api, ..self }
    }

    /// Speaks TLS, with certificates as their files are.
    #[must_use]
    pub fn with_tls(self, tls: Arc<Tls>) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Tells this of every request that is over.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn CompletionObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Tells browsers which pages may read answers. What asks before, the service answers.
    #[must_use]
    pub fn open_to(self, cors: Arc<Cors>) -> Self {
        Self { cors, ..self }
    }

    /// Counters of its connections.
    #[must_use]
    pub fn counts(&self) -> Arc<ConnectionCounts> {
        Arc::clone(&self.counts)
    }

    /// Serves until `shutdown`, then lets requests in flight finish.
    ///
    /// # Errors
    /// The listener broke.
    pub async fn serve<S, B>(self, service: S, shutdown: impl Future<Output = ()>) -> Result<(), ServeError>
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: std::error::Error + Send + Sync,
    {
        let (shared, listener) = self.into_shared();
        let (open, ended) = mpsc::channel(1);
        let accepting = AcceptLoop { shared: Arc::clone(&shared), service, open };
        let result = tokio::select! {
            result = accepting.accept_connections(&listener) => result,
            () = shared.follow_certificates() => Ok(()),
            () = shutdown => Ok(()),
        };
        shared.is_draining.store(true, Ordering::Relaxed);
        shared.phase.send_replace(ServerPhase::Draining);
        accepting.take_waiting(&listener).await;
        let AcceptLoop { open, .. } = accepting;
        drop((listener, open));
        shared.wait_for_last(ended).await;
        result
    }

    fn into_shared(self) -> (Arc<SharedState>, TcpListener) {
        let shared = SharedState {
            limits: self.limits,
            observer: self.observer,
            cors: self.cors,
            tls: self.tls,
            counts: self.counts,
            phase: watch::Sender::new(ServerPhase::Serving),
            is_draining: AtomicBool::new(false),
            refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
            api: self.api,
        };
        (Arc::new(shared), self.listener)
    }
}

impl SharedState {
    /// Counts why a connection was closed.
    pub(crate) fn count_close(&self, close_reason: CloseReason) {
        match close_reason {
            CloseReason::HeaderTimeout => self.counts.header_timeouts.inc(),
            CloseReason::Idle => self.counts.idle_timeouts.inc(),
            CloseReason::WriteTimeout => self.counts.write_timeouts.inc(),
            CloseReason::Slow => self.counts.slow_clients.inc(),
            CloseReason::Evicted => self.counts.evicted.inc(),
        }
    }

    /// Never ends.
    async fn follow_certificates(&self) {
        match &self.tls {
            Some(tls) => tls.reload_on_change().await,
            None => std::future::pending().await,
        }
    }

    /// The stream that a client speaks HTTP on; `None` if there will be none.
    async fn handshake(
        &self,
        tls: &Tls,
        stream: TcpStream,
        activity: &ConnectionActivity,
    ) -> Option<TlsStream<TcpStream>> {
        let shaken = tokio::select! {
            shaken = tls.handshake(stream) => shaken,
            close_reason = activity.close_reason(&self.limits) => Err(io::Error::other(format!("{close_reason:?}"))),
        };
        shaken
            .inspect_err(|error| {
                self.counts.failed_handshakes.inc();
                tracing::debug!(%error, "handshake failed");
            })
            .ok()
    }

    /// Waits for all connections, which hold the channel's other end, to be over.
    async fn wait_for_last(&self, mut ended: mpsc::Receiver<Infallible>) {
        if tokio::time::timeout(self.limits.drain_grace, ended.recv()).await.is_ok() {
            return;
        }
        self.phase.send_replace(ServerPhase::Closing);
        if tokio::time::timeout(self.limits.drain, ended.recv()).await.is_err() {
            tracing::warn!(connections = self.counts.open.get(), "requests were cut off at shutdown");
        }
    }
}

struct AcceptLoop<S> {
    shared: Arc<SharedState>,
    service: S,
    /// Dropped by the last connection.
    open: mpsc::Sender<Infallible>,
}

impl<S, B> AcceptLoop<S>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    /// Until the listener breaks.
    async fn accept_connections(&self, listener: &TcpListener) -> Result<(), ServeError> {
        let mut failures = 0;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    failures = 0;
                    self.take_connection(stream, peer);
                }
                Err(error) if failures >= MAX_ACCEPT_FAILURES && !self.makes_room(&error) => {
                    return Err(ServeError::Accept(error));
                }
                Err(error) => {
                    failures += 1;
                    tracing::warn!(%error, "failed to accept a connection");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Closes idle connections where the system has no more for us: it may have when those are gone.
    fn makes_room(&self, error: &io::Error) -> bool {
        let is_full = is_out_of_files(error);
        if is_full {
            self.shared.counts.connections.evict_slowest(&self.shared.limits);
        }
        is_full
    }

    /// The connections that wait to be accepted: a listener that is closed resets them.
    async fn take_waiting(&self, listener: &TcpListener) {
        loop {
            tokio::select! {
                biased;
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => self.take_connection(stream, peer),
                    Err(_) => return,
                },
                () = std::future::ready(()) => return,
            }
        }
    }

    fn take_connection(&self, stream: TcpStream, peer: SocketAddr) {
        let shared = &self.shared;
        shared.counts.accepted.inc();
        if shared.counts.connections.len() >= shared.limits.max_connections
            && shared.counts.connections.evict_slowest(&shared.limits) == 0
        {
            shared.counts.refused.inc();
            // A word in TLS would cost the handshake.
            let permits = Arc::clone(&shared.refusals);
            if shared.tls.is_none()
                && let Ok(permit) = permits.try_acquire_owned()
            {
                let api = shared.api;
                tokio::spawn(async move {
                    refuse_connection(stream, api).await;
                    drop(permit);
                });
            }
            return;
        }
        tune_socket(&stream);
        let activity = ConnectionActivity::new();
        let slot = shared.counts.connections.register(&activity);
        let (shared, service, open) = (Arc::clone(shared), self.service.clone(), self.open.clone());
        tokio::spawn(async move {
            shared.counts.open.inc();
            match &shared.tls {
                None => serve_connection(stream, peer, service, activity, &shared).await,
                Some(tls) => {
                    if let Some(stream) = shared.handshake(tls, stream, &activity).await {
                        serve_connection(stream, peer, service, activity, &shared).await;
                    }
                }
            }
            shared.counts.open.dec();
            drop((slot, open));
        });
    }
}

/// Whether the process or the system may open no more files, of which every connection is one.
#[must_use]
pub fn is_out_of_files(error: &io::Error) -> bool {
    const TOO_MANY: [i32; 2] = [23, 24];
    error.raw_os_error().is_some_and(|code| TOO_MANY.contains(&code))
}

/// Small answers leave at once, and a peer that vanished without a word is noticed. A socket that takes
/// neither setting still serves.
fn tune_socket(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE / 4);
    let tuned = stream.set_nodelay(true).and_then(|()| SockRef::from(stream).set_tcp_keepalive(&keepalive));
    if let Err(error) = tuned {
        tracing::debug!(%error, "connection not tuned");
    }
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
