//! Starts and stops the gateway: its accounting, its upstreams, its two listeners.

use std::convert::Infallible;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use fdna_http::{
    AccessLog, Clock, CompletionObserver, ConnectionLimits, Cors, ProcessCollectors, RequestRecord,
    ServeError, Server, Tls,
};
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Request, Uri};
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tower::service_fn;

use crate::accounting::{self, AccountingHandle};
use crate::address_limiter::AddressLimiter;
use crate::admin::{self, Admin};
use crate::credential;
use crate::entitlement::AmbiguousPath;
use crate::gateway::Gateway;
use crate::gateway_collector::GatewayCollector;
use crate::metrics::{self, Metrics};
use crate::plan::Plans;
use crate::product::{Product, ServedProduct};
use crate::store::{Store, StoreError};
use crate::upstream::{
    InvalidUpstream, Timeouts, UpstreamConfig, UpstreamConfigError, UpstreamPool, UpstreamTlsError,
};
use crate::webhooks::{UpstreamFeed, WebhookDispatcher, WebhookMetrics, WebhookOptions};

/// Far above what a person who tries a key needs, far below what a program that guesses does.
pub const REFUSALS_PER_MINUTE: u32 = 100;

/// How long a gateway without accounting responds that it is unready before it stops, for load balancers to see.
const UNREADY_BEFORE_STOP: Duration = Duration::from_secs(2);

/// Usage must have been written down within this time once no request is left.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of the gateway.
pub struct Options {
    /// Canonical hosts, `http://HOST:PORT` or `https://HOST:PORT`.
    pub upstreams: Vec<String>,
    /// PEM file of the certificate authorities that upstreams are verified by; without it, the system's.
    pub upstream_ca: Option<PathBuf>,
    /// Sent to upstreams as `Authorization`.
    pub upstream_key: Option<HeaderValue>,
    pub timeouts: Timeouts,
    /// The API that canonical hosts serve; keys of another are not valid.
    pub product: ServedProduct,
    pub plans: Plans,
    pub clock: Clock,
    /// Limits of the clients' connections.
    pub limits: ConnectionLimits,
    /// Certificate and key; without them, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    pub access_log: Option<Arc<AccessLog>>,
    /// Origins whose pages may read responses.
    pub cors: Arc<Cors>,
    /// 401 and 403 that one address may get in a minute; above it gets 429. 0 for any number.
    pub refusals_per_minute: u32,
    /// How webhooks are delivered; without it, another gateway of the store delivers them, or none.
    pub webhooks: Option<WebhookOptions>,
    /// Where the admin pages are served; nowhere without it.
    pub admin_listener: Option<TcpListener>,
    /// Notified when the store is read and requests are served.
    pub ready: Option<oneshot::Sender<()>>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub fn new(upstreams: Vec<String>, plans: Plans, clock: Clock) -> Self {
        let (upstream_ca, upstream_key, tls, access_log, cors, webhooks, admin_listener, ready) =
            Default::default();
        Self {
            upstreams,
            upstream_ca,
            upstream_key,
            timeouts: Timeouts::default(),
            product: ServedProduct::Mma,
            plans,
            clock,
            limits: ConnectionLimits::default(),
            tls,
            access_log,
            cors,
            refusals_per_minute: REFUSALS_PER_MINUTE,
            webhooks,
            admin_listener,
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
    Upstream(#[from] InvalidUpstream),
    #[error(transparent)]
    UpstreamTls(#[from] UpstreamTlsError),
    #[error(transparent)]
    Operations(#[from] AmbiguousPath),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("no canonical host is named")]
    NoUpstream,
    #[error("cannot count requests: the accounting thread died, so the gateway ends; the log says why")]
    Accounting,
    #[error("cannot wait for the key store")]
    Join(#[from] tokio::task::JoinError),
}

impl From<UpstreamConfigError> for GatewayError {
    fn from(error: UpstreamConfigError) -> Self {
        match error {
            UpstreamConfigError::Address(error) => Self::Upstream(error),
            UpstreamConfigError::Tls(error) => Self::UpstreamTls(error),
        }
    }
}

/// Serves until `shutdown`, lets requests in flight finish, and returns the unused reservations to the store.
///
/// # Errors
/// The store cannot be read, an upstream's address is invalid, or a listener broke.
pub async fn serve(
    listener: TcpListener,
    store: Box<dyn Store>,
    options: Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), GatewayError> {
    serve_boxed(listener, store, options, Box::pin(shutdown)).await
}

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Not generic, and boxed: all request handling is compiled in this crate, with this crate's optimisation level.
fn serve_boxed(
    listener: TcpListener,
    store: Box<dyn Store>,
    mut options: Options,
    shutdown: BoxFuture<()>,
) -> BoxFuture<Result<(), GatewayError>> {
    Box::pin(async move {
        let (gateway, accounting, dispatcher) = open_gateway(store, &mut options).await?;
        let Options { limits, tls, access_log, admin_listener, ready, .. } = options;
        let mut server = Server::new(listener, limits.clone()).open_to(Arc::clone(&gateway.cors));
        let health_checks = tokio::spawn(Arc::clone(&gateway.upstreams).run_health_checks());
        let (stop_admin, stopped) = watch::channel(false);
        let admin_server = admin_listener.map(|listener| {
            let mut registry = Registry::with_prefix(metrics::PREFIX);
            gateway.metrics.register(&mut registry);
            if let Some((_, metrics)) = &gateway.webhooks {
                metrics.register(&mut registry);
            }
            let process = ProcessCollectors { log: access_log.clone(), tls: tls.clone() };
            registry.register_collector(Box::new(GatewayCollector(Arc::clone(&gateway))));
            registry.register_collector(Box::new(server.counts()));
            registry.register_collector(Box::new(process));
            let admin = Arc::new(Admin { gateway: Arc::clone(&gateway), registry });
            tokio::spawn(serve_admin(listener, admin, limits, stopped))
        });
        if let Some(tls) = tls {
            server = server.with_tls(tls);
        }
        if let Some(log) = access_log {
            server = server.observed_by(Arc::new(AccessLogger { gateway: Arc::clone(&gateway), log }));
        }
        if let Some(ready) = ready {
            let _ = ready.send(());
        }
        let handler = Arc::clone(&gateway);
        let service = service_fn(move |request: Request<Incoming>| {
            let gateway = Arc::clone(&handler);
            async move { Ok::<_, Infallible>(gateway.respond(&request).await) }
        });
        let served = server.serve(service, until_stopped(&gateway, shutdown)).await;
        // Where a listener broke, nobody has said so yet.
        gateway.stopping.send_replace(true);
        let _ = stop_admin.send(true);
        if let Some(admin_server) = admin_server {
            let _ = admin_server.await;
        }
        if let Some(dispatcher) = dispatcher
            && dispatcher.await.is_err()
        {
            tracing::error!("the delivery of webhooks died");
        }
        health_checks.abort();
        let has_failed = gateway.accounting.has_failed();
        let closing = tokio::task::spawn_blocking(|| accounting.close());
        match tokio::time::timeout(CLOSE_TIMEOUT, closing).await {
            Ok(closed) => closed?,
            Err(_) => tracing::error!("the key store does not answer: the last usage is not written down"),
        }
        served?;
        if has_failed { Err(GatewayError::Accounting) } else { Ok(()) }
    })
}

async fn open_gateway(
    store: Box<dyn Store>,
    options: &mut Options,
) -> Result<(Arc<Gateway>, AccountingHandle, Option<JoinHandle<()>>), GatewayError> {
    if options.upstreams.is_empty() {
        return Err(GatewayError::NoUpstream);
    }
    let metrics = Metrics::new();
    let config = UpstreamConfig {
        addresses: &options.upstreams,
        ca: options.upstream_ca.as_deref(),
        key: options.upstream_key.as_ref(),
        timeouts: options.timeouts.clone(),
    };
    let upstreams = Arc::new(UpstreamPool::new(config, metrics.clone())?);
    let (product, keys_of) = (Product::new(&options.product, &options.plans)?, options.product.keys());
    let (plans, clock, counted) = (options.plans.clone(), options.clock.clone(), metrics.clone());
    // The store's calls block.
    let opening = tokio::task::spawn_blocking(move || {
        accounting::open_accounting(store, keys_of, plans, clock, counted)
    });
    let (accounting, handle) = opening.await??;
    let (stopping, stopped) = watch::channel(false);
    let (mut webhooks, mut dispatcher) = (None, None);
    if let Some(own) = options.webhooks.take() {
        let metrics = WebhookMetrics::default();
        let feed = Arc::new(UpstreamFeed { product: keys_of, upstreams: Arc::clone(&upstreams) });
        let clock = options.clock.clone();
        let started = WebhookDispatcher::start(own, keys_of, feed, clock, metrics.clone(), stopped)?;
        (webhooks, dispatcher) = (Some((started.0, metrics)), Some(started.1));
    }
    let gateway = Gateway {
        accounting,
        upstreams,
        metrics,
        product,
        webhooks,
        refusal_limiter: AddressLimiter::new(options.refusals_per_minute),
        docs_limiter: AddressLimiter::new(options.refusals_per_minute),
        cors: Arc::clone(&options.cors),
        has_access_log: options.access_log.is_some(),
        stopping,
    };
    Ok((Arc::new(gateway), handle, dispatcher))
}

/// Completes at shutdown, or when accounting has failed.
async fn until_stopped(gateway: &Gateway, shutdown: impl Future<Output = ()>) {
    let failed = async {
        gateway.accounting.wait_for_failure().await;
        tokio::time::sleep(UNREADY_BEFORE_STOP).await;
    };
    tokio::select! {
        () = shutdown => {}
        () = failed => {}
    }
    gateway.stopping.send_replace(true);
}

/// Writes every request to the access log, whose format is that of [`fdna_http::AccessLog`].
struct AccessLogger {
    gateway: Arc<Gateway>,
    log: Arc<AccessLog>,
}

impl CompletionObserver for AccessLogger {
    fn on_complete(&self, record: &RequestRecord) {
        let product = &self.gateway.product;
        let cut = product.takes_key_in_url().then(|| credential::cut_key(&record.uri));
        let uri = match cut {
            None => record.uri.clone(),
            Some(Ok((target, _))) => target.into(),
            // Two keys.
            Some(Err(_)) => return self.log.log_request(&with_url(record, Uri::from_static("/***")), "none"),
        };
        if credential::reject_key_in_url(uri.path(), uri.query()).is_err() {
            // The key may be encoded in a way that the log does not mask.
            return self.log.log_request(&with_url(record, Uri::from_static("/***")), "none");
        }
        let operation = product.find_operation(uri.path(), uri.query()).and_then(|matched| matched.name);
        self.log.log_request(&with_url(record, uri), operation.unwrap_or("none"));
    }
}

fn with_url(record: &RequestRecord, uri: Uri) -> RequestRecord {
    RequestRecord {
        uri,
        method: record.method.clone(),
        user_agent: record.user_agent.clone(),
        request_id: record.request_id.clone(),
        caller: record.caller.clone(),
        ..*record
    }
}

/// Serves the admin pages as long as the gateway serves.
async fn serve_admin(
    listener: TcpListener,
    admin: Arc<Admin>,
    limits: ConnectionLimits,
    mut stopped: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let admin = Arc::clone(&admin);
        async move { Ok::<_, Infallible>(admin::respond_admin(&admin, &request)) }
    });
    let shutdown = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let limits = ConnectionLimits { drain_grace: Duration::ZERO, ..limits };
    if let Err(error) = Server::new(listener, limits).serve(service, shutdown).await {
        tracing::error!(error = &error as &dyn std::error::Error, "the admin pages are not served");
    }
}
