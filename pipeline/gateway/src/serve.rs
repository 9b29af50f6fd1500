//! The gateway as a whole: its books, its hosts, its two addresses.

use std::convert::Infallible;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_utils::CachePadded;
use fdna_http::Surroundings;
use fdna_http::{
    AccessLog, Clock, Cors, Counts, Exchange, Limits, Observer, ServeError, Server, Tls, Workers,
};
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Request, Uri};
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tower::service_fn;

use crate::books;
use crate::credential;
use crate::entitlement::{AmbiguousPath, Entitlement};
use crate::gateway::Gateway;
use crate::metrics::{self, Metrics, Shown};
use crate::operator::{self, Operator};
use crate::plan::Plans;
use crate::refusals::Refusals;
use crate::store::{Store, StoreError};
use crate::upstream::{BadUpstream, Hosts, HostsError, Patience, UpstreamTlsError, Upstreams};

/// Far above what a person who tries a key needs, far below what a program that guesses does.
pub const REFUSALS_PER_MINUTE: u32 = 100;

/// How long a gateway that cannot count any more tells that it is unready before it ends, for balancers to see.
const UNREADY: Duration = Duration::from_secs(2);

/// How to serve.
pub struct Options {
    /// Canonical hosts, `http://HOST:PORT` or `https://HOST:PORT`.
    pub upstreams: Vec<String>,
    /// PEM file of the authorities that canonical hosts are trusted by; without, the system's.
    pub upstream_ca: Option<PathBuf>,
    /// Sent to canonical hosts as `Authorization`.
    pub upstream_key: Option<HeaderValue>,
    pub plans: Plans,
    pub clock: Clock,
    /// Of the clients' connections.
    pub limits: Limits,
    /// A certificate and its key; without, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    /// Where requests are logged.
    pub access_log: Option<Arc<AccessLog>>,
    pub patience: Patience,
    /// Pages of other origins that may ask.
    pub cors: Arc<Cors>,
    /// 401 and 403 that one address may collect in a minute; beyond, they are answered 429. 0 for any number.
    pub refusals_per_minute: u32,
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
        let (upstream_ca, upstream_key, tls, access_log, cors, threads, operator, ready) = Default::default();
        let refusals_per_minute = REFUSALS_PER_MINUTE;
        Self {
            upstreams,
            upstream_ca,
            upstream_key,
            plans,
            clock,
            limits,
            tls,
            access_log,
            patience,
            cors,
            refusals_per_minute,
            threads,
            operator,
            ready,
        }
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
    UpstreamTls(#[from] UpstreamTlsError),
    #[error(transparent)]
    Operations(#[from] AmbiguousPath),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("find a canonical host: none is named")]
    NoUpstream,
    #[error("start threads")]
    Threads(#[source] std::io::Error),
    #[error("count requests: the accounting thread died, so that the gateway ends; the log says why")]
    Accounting,
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
    mut options: Options,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
) -> Result<(), GatewayError> {
    if options.upstreams.is_empty() {
        return Err(GatewayError::NoUpstream);
    }
    let workers = (options.threads > 0).then(|| Workers::start(options.threads));
    let workers = workers.transpose().map_err(GatewayError::Threads)?;
    let (gateway, keeper) = open(store, &mut options).await?;
    let Options { limits, tls, access_log, operator, ready, .. } = options;
    let mut server = Server::new(listener, limits.clone()).open_to(Arc::clone(&gateway.cors));
    let looking = tokio::spawn(Arc::clone(&gateway.upstreams).look_after());
    let (stop, stopped) = watch::channel(false);
    let operating = operator.map(|listener| {
        let around = Surroundings { log: access_log.clone(), tls: tls.clone() };
        let registry = registry(&gateway, server.counts(), around);
        let operator = Arc::new(Operator { gateway: Arc::clone(&gateway), registry });
        tokio::spawn(operate(listener, operator, limits, stopped))
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
    let served = server.serve_each(service, until_dead(&gateway, shutdown)).await;
    let _ = stop.send(true);
    if let Some(operating) = operating {
        let _ = operating.await;
    }
    looking.abort();
    let is_dead = gateway.books.is_dead();
    tokio::task::spawn_blocking(|| keeper.close()).await.map_err(GatewayError::Close)?;
    served?;
    if is_dead { Err(GatewayError::Accounting) } else { Ok(()) }
}

/// Everything that requests are answered with.
async fn open(
    store: Box<dyn Store>,
    options: &mut Options,
) -> Result<(Arc<Gateway>, books::Keeper), GatewayError> {
    // Without any of its own, it is where the gateway is.
    let threads = options.threads.max(1);
    let metrics = Arc::new(Metrics::of(threads));
    let hosts = Hosts {
        addresses: &options.upstreams,
        ca: options.upstream_ca.as_deref(),
        key: options.upstream_key.as_ref(),
    };
    let upstreams = Upstreams::of(&hosts, options.patience.clone(), threads, Arc::clone(&metrics));
    let upstreams = Arc::new(upstreams.map_err(|error| match error {
        HostsError::Address(error) => GatewayError::Upstream(error),
        HostsError::Tls(error) => GatewayError::UpstreamTls(error),
    })?);
    let entitlement = Entitlement::of_operations()?;
    let [refusals, pages] = [(); 2].map(|()| Refusals::of(options.refusals_per_minute));
    let (plans, clock) = (options.plans.clone(), options.clock.clone());
    // A store's calls block.
    let opening = tokio::task::spawn_blocking(move || books::open(store, plans, clock));
    let (books, keeper) = opening.await.map_err(GatewayError::Close)??;
    let (is_logged, cors) = (options.access_log.is_some(), Arc::clone(&options.cors));
    Ok((
        Arc::new(Gateway { books, upstreams, metrics, entitlement, refusals, pages, cors, is_logged }),
        keeper,
    ))
}

/// Everything that is measured.
fn registry(gateway: &Arc<Gateway>, counts: Arc<Counts>, around: Surroundings) -> Registry {
    let mut registry = Registry::with_prefix(metrics::PREFIX);
    registry.register_collector(Box::new(Shown(Arc::clone(gateway))));
    registry.register_collector(Box::new(counts));
    registry.register_collector(Box::new(around));
    registry
}

/// Ends as it is asked to, or when nothing is counted any more.
async fn until_dead(gateway: &Gateway, shutdown: impl Future<Output = ()>) {
    let dead = async {
        gateway.books.died().await;
        tokio::time::sleep(UNREADY).await;
    };
    tokio::select! {
        () = shutdown => {}
        () = dead => {}
    }
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
    operator: Arc<Operator>,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let operator = Arc::clone(&operator);
        async move { Ok::<_, Infallible>(operator::answer(&operator, &request)) }
    });
    let shutdown = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let limits = Limits { farewell: Duration::ZERO, ..limits };
    if let Err(error) = Server::new(listener, limits).serve(service, shutdown).await {
        tracing::error!(error = &error as &dyn std::error::Error, "the operator's pages are not served");
    }
}
