//! One server: a listener, what it serves, and the watcher that follows the source.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use fdna_api::{MMA_API, all_operations};
use fdna_http::{AccessLog, Clock, ConnectionLimits, Cors, Server, Tls};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::api_key::KeyFile;
use crate::local_api::{LocalApi, Pages};
use crate::metrics::{Metrics, RequestObserver, ServedCollector};
use crate::router::{AdminPages, admin_pages, router_with};
use crate::row_explainer::RowExplainer;
use crate::serving_state::{self, ServingState};
use crate::{PinnedSnapshotLimits, health};
use fdna_view::catalog::CatalogLake;
use fdna_view::{LoadError, SnapshotSource};

/// Between two looks at whether the state changed.
const STATE_INTERVAL: Duration = Duration::from_millis(200);

/// How to serve.
pub struct Options {
    /// Where snapshots come from.
    pub source: Arc<dyn SnapshotSource>,
    /// Where snapshots of the multi-sport catalog come from; without, its routes have no data.
    pub catalog: Option<CatalogLake>,
    /// Between two looks at the source's pointer.
    pub poll: Duration,
    /// What one client may take.
    pub limits: ConnectionLimits,
    /// A certificate and its key; without, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    /// Where requests are logged.
    pub access_log: Option<Arc<AccessLog>>,
    /// Whether to end if the first snapshot cannot be loaded; else 503 is answered until one can be. Where there is
    /// none yet, 503 is answered in any case.
    pub must_load: bool,
    /// What snapshots may take that requests name.
    pub pins: PinnedSnapshotLimits,
    /// Keys of which everyone must have one who is to be answered; without, anyone is.
    pub key: Option<Arc<KeyFile>>,
    /// Explains rows of tables; without, nobody does.
    pub explainer: Option<Arc<dyn RowExplainer>>,
    /// Pages of other origins that may ask.
    pub cors: Arc<Cors>,
    /// Where the admin pages are served (metrics, and readiness with its reasons); without, beside the operations.
    pub admin: Option<TcpListener>,
    /// Pages that are made of the operations, on an address of their own.
    pub pages: Option<Pages>,
    /// Where images are served, for the index.
    pub media_base_url: Option<String>,
    /// The time of each request.
    pub clock: Clock,
    /// Told what is served.
    pub state: watch::Sender<ServerState>,
}

/// What a server serves, for whoever watches over it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerState {
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
            catalog: None,
            poll: Duration::from_millis(500),
            limits: ConnectionLimits::default(),
            tls: None,
            access_log: None,
            must_load: false,
            pins: PinnedSnapshotLimits::default(),
            key: None,
            explainer: None,
            cors: Arc::default(),
            admin: None,
            pages: None,
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
    #[error("cannot take requests")]
    Http(#[from] fdna_http::ServeError),
    /// There is nothing to serve, and there must be.
    #[error("cannot load the first snapshot")]
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
    mut options: Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let served = Arc::new(served(&options));
    let following =
        serving_state::watch_snapshots(Arc::clone(&served), Arc::clone(&options.source), options.poll);
    let mut beside = JoinSet::new();
    beside.spawn(following);
    if let Some(changes) = options.source.changes() {
        let (streams, current) = (Arc::clone(&served.change_streams), Arc::clone(&served));
        let id = move || current.dataset().map(|dataset| dataset.snapshot_id().to_owned());
        beside.spawn(streams.follow(changes, options.poll, id));
    }
    if let Some(key) = options.key.clone() {
        beside.spawn(key.follow());
    }
    let last_word = beside.spawn(publish_state(Arc::clone(&served), options.state.clone()));
    let server = server(listener, &options);
    let watching =
        RequestObserver::new(options.access_log.clone(), all_operations().map(|operation| operation.name));
    let (tls, key) = (options.tls.as_ref(), options.key.as_ref());
    let metrics =
        Metrics::of(ServedCollector::Mma(Arc::clone(&served)), &server.counts(), &watching, tls, key);
    let admin = match options.admin.take() {
        None => AdminPages::Here(metrics),
        Some(listener) => {
            let told = Arc::clone(&served);
            let pages = admin_pages(&MMA_API, metrics, move |_| health::readyz(&told, false));
            beside.spawn(serve_admin(listener, options.limits.clone(), pages));
            AdminPages::Elsewhere
        }
    };
    if let Some(pages) = options.pages.take() {
        beside.spawn(serve_pages(pages, LocalApi::new(Arc::clone(&served)), &options));
    }
    let router = router_with(Arc::clone(&served), admin);
    let shutdown = async {
        shutdown.await;
        served.change_streams.leave();
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

pub(crate) fn served(options: &Options) -> ServingState {
    let served = ServingState::new(options.media_base_url.clone(), options.clock.clone());
    let served = served.with_pins(Arc::clone(&options.source), options.pins);
    let served = served.open_to(Arc::clone(&options.cors));
    let served = match &options.explainer {
        Some(explainer) => served.with_explainer(Arc::clone(explainer)),
        None => served,
    };
    match &options.key {
        Some(key) => served.with_key(Arc::clone(key)),
        None => served,
    }
}

/// Serves the admin pages until the clients' are not served any more.
pub(crate) async fn serve_admin(listener: TcpListener, limits: ConnectionLimits, pages: Router) {
    let served = Server::new(listener, limits).serve(pages, std::future::pending()).await;
    if let Err(error) = served {
        tracing::error!(error = &error as &dyn std::error::Error, "the operator's pages are not served");
    }
}

/// Serves pages beside the operations, until the server leaves.
pub(crate) fn serve_pages(
    pages: Pages,
    api: LocalApi,
    options: &Options,
) -> impl Future<Output = ()> + use<> {
    let watching = RequestObserver::new(options.access_log.clone(), pages.names.into_iter());
    let server = server(pages.listener, options).observed_by(Arc::new(watching));
    let router = (pages.router)(api);
    let mut state = options.state.subscribe();
    async move {
        let leaving = async move {
            // Without a sender there is nobody left to serve.
            let _ = state.wait_for(|state| state.is_leaving).await;
        };
        if let Err(error) = server.serve(router, leaving).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the pages are not served");
        }
    }
}

pub(crate) fn server(listener: TcpListener, options: &Options) -> Server {
    let server = Server::new(listener, options.limits.clone()).open_to(Arc::clone(&options.cors));
    match &options.tls {
        Some(tls) => server.with_tls(Arc::clone(tls)),
        None => server,
    }
}

/// Tells for ever.
async fn publish_state(served: Arc<ServingState>, state: watch::Sender<ServerState>) {
    loop {
        let snapshot_id = served.dataset().map(|dataset| dataset.snapshot_id().to_owned());
        let is_waiting = served.is_waiting();
        let now = ServerState { snapshot_id, problem: served.problem(), is_waiting, is_leaving: false };
        state.send_if_modified(|told| {
            let is_new = *told != now;
            *told = now;
            is_new
        });
        tokio::time::sleep(STATE_INTERVAL).await;
    }
}
