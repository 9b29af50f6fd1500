//! One server: a listener, what it serves, and the watcher that follows the source.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use fdna_http::{AccessLog, Clock, Cors, Limits, Server, Tls};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::key::KeyFile;
use crate::metrics::{Metrics, Watching};
use crate::routes::{Operator, operator_pages, router_with};
use crate::swap::{self, Served, SnapshotSource};
use crate::{LoadError, PinLimits};

/// Between two looks at whether the state changed.
const STATE_EVERY: Duration = Duration::from_millis(200);

/// How to serve.
pub struct Options {
    /// Where snapshots come from.
    pub source: Arc<dyn SnapshotSource>,
    /// Between two looks at the source's pointer.
    pub poll: Duration,
    /// What one client may take.
    pub limits: Limits,
    /// A certificate and its key; without, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    /// Where requests are logged.
    pub access_log: Option<Arc<AccessLog>>,
    /// Whether to end if the first snapshot cannot be loaded; else 503 is answered until one can be. Where there is
    /// none yet, 503 is answered in any case.
    pub must_load: bool,
    /// What snapshots may take that requests name.
    pub pins: PinLimits,
    /// Keys of which everyone must have one who is to be answered; without, anyone is.
    pub key: Option<Arc<KeyFile>>,
    /// Pages of other origins that may ask.
    pub cors: Arc<Cors>,
    /// Where an operator asks for metrics and reasons; without, where everyone asks.
    pub operator: Option<TcpListener>,
    /// Where images are served, for the index.
    pub media_base_url: Option<String>,
    /// The time of each request.
    pub clock: Clock,
    /// Told what is served.
    pub state: watch::Sender<State>,
}

/// What a server serves, for whoever watches over it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// Id of the snapshot; `None` before the first.
    pub snapshot_id: Option<String>,
    /// Why it is not the newest, or the ledger is not.
    pub problem: Option<String>,
    /// That there is no snapshot yet.
    pub is_waiting: bool,
    /// That no new connections are taken.
    pub is_leaving: bool,
}

impl Options {
    /// The defaults, serving from this source by this clock.
    #[must_use]
    pub fn new(source: Arc<dyn SnapshotSource>, clock: Clock) -> Self {
        Self {
            source,
            poll: Duration::from_millis(500),
            limits: Limits::default(),
            tls: None,
            access_log: None,
            must_load: false,
            pins: PinLimits::default(),
            key: None,
            cors: Arc::default(),
            operator: None,
            media_base_url: None,
            clock,
            state: watch::Sender::default(),
        }
    }
}

/// Why serving ended before it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener broke.
    #[error("take requests")]
    Http(#[from] fdna_http::ServeError),
    /// There is nothing to serve, and there must be.
    #[error("load the first snapshot")]
    FirstLoad(#[source] Arc<LoadError>),
}

/// Serves until `shutdown`, then lets requests in flight finish.
///
/// Answers at once: until a snapshot is loaded, with 503.
///
/// # Errors
/// The listener broke, or the first snapshot cannot be loaded and must be.
pub async fn serve(
    listener: TcpListener,
    options: Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    serving(listener, options, Box::pin(shutdown)).await
}

/// The whole of it, of one type and made here: a generic one would be compiled where it is called, with every
/// request's way in it, and as little optimised as what calls it.
fn serving(
    listener: TcpListener,
    options: Options,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
) -> Pin<Box<dyn Future<Output = Result<(), ServeError>> + Send>> {
    Box::pin(serve_until(listener, options, shutdown))
}

async fn serve_until(
    listener: TcpListener,
    mut options: Options,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
) -> Result<(), ServeError> {
    let served = Arc::new(served(&options));
    let following = swap::watch(Arc::clone(&served), Arc::clone(&options.source), options.poll);
    let mut beside = JoinSet::new();
    beside.spawn(following);
    if let Some(key) = options.key.clone() {
        beside.spawn(key.follow());
    }
    let last_word = beside.spawn(tell(Arc::clone(&served), options.state.clone()));
    let server = server(listener, &options);
    let watching = Watching::new(options.access_log.clone());
    let (tls, key) = (options.tls.as_ref(), options.key.as_ref());
    let metrics = Metrics::of(&served, &server.counts(), &watching, tls, key);
    let operator = match options.operator.take() {
        None => Operator::Here(metrics),
        Some(listener) => {
            let pages = operator_pages(Arc::clone(&served), metrics);
            beside.spawn(operate(listener, options.limits.clone(), pages));
            Operator::Elsewhere
        }
    };
    let router = router_with(Arc::clone(&served), operator);
    let shutdown = async {
        shutdown.await;
        last_word.abort();
        options.state.send_modify(|state| state.is_leaving = true);
    };
    let serving = server.observed_by(Arc::new(watching)).serve(router, shutdown);
    // What runs beside ends with this.
    tokio::select! {
        ended = serving => ended.map_err(ServeError::from),
        failure = served.first_failure(), if options.must_load => Err(ServeError::FirstLoad(failure)),
    }
}

fn served(options: &Options) -> Served {
    let served = Served::new(options.media_base_url.clone(), options.clock.clone());
    let served = served.with_pins(Arc::clone(&options.source), options.pins);
    let served = served.open_to(Arc::clone(&options.cors));
    match &options.key {
        Some(key) => served.with_key(Arc::clone(key)),
        None => served,
    }
}

/// Serves the operator's pages until the clients' are not served any more.
async fn operate(listener: TcpListener, limits: Limits, pages: Router) {
    let served = Server::new(listener, limits).serve(pages, std::future::pending()).await;
    if let Err(error) = served {
        tracing::error!(error = &error as &dyn std::error::Error, "the operator's pages are not served");
    }
}

fn server(listener: TcpListener, options: &Options) -> Server {
    let server = Server::new(listener, options.limits.clone()).open_to(Arc::clone(&options.cors));
    match &options.tls {
        Some(tls) => server.with_tls(Arc::clone(tls)),
        None => server,
    }
}

/// Tells for ever.
async fn tell(served: Arc<Served>, state: watch::Sender<State>) {
    loop {
        let snapshot_id = served.dataset().map(|dataset| dataset.snapshot_id().to_owned());
        let is_waiting = served.is_waiting();
        let now = State { snapshot_id, problem: served.problem(), is_waiting, is_leaving: false };
        state.send_if_modified(|told| {
            let is_new = *told != now;
            *told = now;
            is_new
        });
        tokio::time::sleep(STATE_EVERY).await;
    }
}
