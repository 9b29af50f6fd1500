//! The gateway as a whole: its books, its hosts, its two addresses.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crossbeam_utils::CachePadded;
use fdna_http::{AccessLog, Clock, Exchange, Limits, Observer, ServeError, Server, Tls, Workers};
use hyper::body::Incoming;
use hyper::{Request, Uri};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tower::service_fn;

use crate::books;
use crate::credential;
use crate::entitlement::{AmbiguousPath, Entitlement};
use crate::gateway::Gateway;
use crate::metrics::Metrics;
use crate::operator;
use crate::plan::Plans;
use crate::store::{Store, StoreError};
use crate::upstream::{BadUpstream, Patience, Upstreams};

/// How to serve.
pub struct Options {
    /// Canonical hosts, `http://HOST:PORT`.
    pub upstreams: Vec<String>,
    pub plans: Plans,
    pub clock: Clock,
    /// Of the clients' connections.
    pub limits: Limits,
    /// A certificate and its key; without, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    /// Where requests are logged.
    pub access_log: Option<Arc<AccessLog>>,
    pub patience: Patience,
    /// Threads that serve clients, each with its own connections to canonical hosts. Without any, they are served where
    /// the gateway is.
    pub threads: usize,
    /// Where the operator's pages are served; nowhere without.
    pub operator: Option<TcpListener>,
    /// Told when the store is read and requests are served.
    pub ready: Option<oneshot::Sender<()>>,
}

impl Options {
    /// The defaults, in front of these hosts, by this clock.
    #[must_use]
    pub fn new(upstreams: Vec<String>, plans: Plans, clock: Clock) -> Self {
        let (limits, patience) = (Limits::default(), Patience::default());
        let (tls, access_log, threads, operator, ready) = Default::default();
        Self { upstreams, plans, clock, limits, tls, access_log, patience, threads, operator, ready }
    }
}

/// Why the gateway does not serve.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Upstream(#[from] BadUpstream),
    #[error(transparent)]
    Operations(#[from] AmbiguousPath),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("find a canonical host: none is named")]
    NoUpstream,
    #[error("start threads")]
    Threads(#[source] std::io::Error),
    #[error("close the books")]
    Close(#[source] tokio::task::JoinError),
}

/// Serves until `shutdown`, lets requests in flight finish, and gives back what was reserved and not used.
///
/// # Errors
/// The store cannot be read, an upstream has no address, or a listener broke.
pub async fn serve(
    listener: TcpListener,
    store: Box<dyn Store>,
    options: Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), GatewayError> {
    serving(listener, store, options, Box::pin(shutdown)).await
}

/// The whole of it, of one type and made here: a generic one would be compiled where it is called, with every
/// request's way in it, and as little optimised as what calls it.
fn serving(
    listener: TcpListener,
    store: Box<dyn Store>,
    options: Options,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
) -> Pin<Box<dyn Future<Output = Result<(), GatewayError>> + Send>> {
    Box::pin(serve_until(listener, store, options, shutdown))
}

async fn serve_until(
    listener: TcpListener,
    store: Box<dyn Store>,
    options: Options,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
) -> Result<(), GatewayError> {
    let Options { upstreams, plans, clock, limits, tls, access_log, patience, threads, operator, ready } =
        options;
    if upstreams.is_empty() {
        return Err(GatewayError::NoUpstream);
    }
    let workers =
        (threads > 0).then(|| Workers::start(threads)).transpose().map_err(GatewayError::Threads)?;
    // Without any of its own, it is where the gateway is.
    let threads = threads.max(1);
    let metrics = Arc::new(Metrics::of(threads));
    let upstreams = Arc::new(Upstreams::of(&upstreams, patience, threads, Arc::clone(&metrics))?);
    let entitlement = Entitlement::of_operations()?;
    // A store's calls block.
    let opening = tokio::task::spawn_blocking(move || books::open(store, plans, clock));
    let (books, keeper) = opening.await.map_err(GatewayError::Close)??;
    let looking = tokio::spawn(Arc::clone(&upstreams).look_after());
    let gateway = Arc::new(Gateway { books, upstreams, metrics, entitlement });
    let (stop, stopped) = watch::channel(false);
    let operating = operator.map(|listener| {
        let serving = operate(listener, Arc::clone(&gateway), limits.clone(), stopped);
        tokio::spawn(serving)
    });
    let service = |thread| {
        // Each thread has a handle of its own: every request of it takes one, and counts that.
        let own = Arc::new(CachePadded::new(Arc::clone(&gateway)));
        service_fn(move |request: Request<Incoming>| {
            let own = Arc::clone(&own);
            // Boxed: it is handed on several times before it is asked for anything.
            Box::pin(async move { Ok::<_, Infallible>(own.answer(&request, thread).await) })
        })
    };
    let mut server = Server::new(listener, limits);
    if let Some(workers) = workers {
        server = server.spread_over(workers);
    }
    if let Some(tls) = tls {
        server = server.with_tls(tls);
    }
    if let Some(log) = access_log {
        server = server.observed_by(Arc::new(Logging { gateway: Arc::clone(&gateway), log }));
    }
    if let Some(ready) = ready {
        let _ = ready.send(());
    }
    let served = server.serve_each(service, shutdown).await;
    let _ = stop.send(true);
    if let Some(operating) = operating {
        let _ = operating.await;
    }
    looking.abort();
    tokio::task::spawn_blocking(|| keeper.close()).await.map_err(GatewayError::Close)?;
    Ok(served?)
}

/// Writes down every request.
struct Logging {
    gateway: Arc<Gateway>,
    log: Arc<AccessLog>,
}

impl Observer for Logging {
    fn over(&self, exchange: &Exchange) {
        let uri = &exchange.uri;
        if credential::check_address(uri.path(), uri.query()).is_err() {
            // Holds a key, perhaps in another writing than the log would know.
            return self.log.log(&without_address(exchange), "none");
        }
        let asked = self.gateway.entitlement.asked(uri.path(), uri.query());
        let operation = asked.and_then(|asked| asked.operation).map_or("none", |operation| operation.name);
        self.log.log(exchange, operation);
    }
}

fn without_address(exchange: &Exchange) -> Exchange {
    Exchange {
        uri: Uri::from_static("/***"),
        method: exchange.method.clone(),
        user_agent: exchange.user_agent.clone(),
        request_id: exchange.request_id.clone(),
        caller: exchange.caller.clone(),
        ..*exchange
    }
}

/// Serves the operator's pages until the clients' are.
async fn operate(
    listener: TcpListener,
    gateway: Arc<Gateway>,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let gateway = Arc::clone(&gateway);
        async move { Ok::<_, Infallible>(operator::answer(&gateway, &request)) }
    });
    let shutdown = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let limits = Limits { farewell: std::time::Duration::ZERO, ..limits };
    if let Err(error) = Server::new(listener, limits).serve(service, shutdown).await {
        tracing::error!(error = &error as &dyn std::error::Error, "the operator's pages are not served");
    }
}
