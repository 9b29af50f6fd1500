//! Starts and stops the server: its keys, its two listeners.

use std::convert::Infallible;
use std::future::Future;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use axum_core::body::Body;
use chrono::TimeDelta;
use fdna_gateway::UpstreamTlsError;
use fdna_gateway::address_limiter::AddressLimiter;
use fdna_gateway::key::KeyProduct;
use fdna_gateway::store::{Store as KeyStore, StoreError as KeyStoreError};
use fdna_gateway::webhooks::{WebhookOptions, deliver_feed};
use fdna_http::{
    AccessLog, Clock, CompletionObserver, ConnectionLimits, ProcessCollectors, RequestMetrics, RequestRecord,
    ServeError, Server, Tls, request_id,
};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tower::service_fn;
use uuid::Uuid;

use crate::fields::FieldRules;
use crate::handler::{Handler, IDEMPOTENCY_TIME};
use crate::key_ring;
use crate::openapi::DocumentPages;
use crate::operation::{logged_path, operation_names};
use crate::properties::PropertyShelf;
use crate::refusal::{Code, LEADS_API, Refusal, json_response};
use crate::store::{LeadStore, StoreError};
use crate::streams::{ChangeStreams, WebhookFeed};
use crate::tables::TableSource;

/// Requests of one key in a minute, unless told otherwise.
pub const KEY_REQUESTS_PER_MINUTE: u32 = 600;

/// Requests of one address in a minute, with or without a key, unless told otherwise.
pub const REQUESTS_PER_MINUTE: u32 = 1200;

/// Days for which the audit and the list of changes are kept, unless told otherwise.
pub const AUDIT_DAYS: i64 = 400;

/// The stores must have been closed within this time once no request is left.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

const METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// Before the names of metrics.
const PREFIX: &str = "fightdna_leads";

/// Settings of the server.
pub struct Options {
    pub rules: FieldRules,
    pub clock: Clock,
    /// Properties that are listed and valued; without, both operations answer 503.
    pub properties: Option<PropertyShelf>,
    /// Tables of the same lake.
    pub tables: Option<Arc<dyn TableSource>>,
    pub limits: ConnectionLimits,
    /// Certificate and key; without them, connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
    pub access_log: Option<Arc<AccessLog>>,
    /// Requests of one key in a minute; 0 for any number.
    pub requests_per_key: u32,
    /// Requests of one address in a minute; 0 for any number.
    pub requests_per_address: u32,
    /// How long it is kept who did what, and what changed.
    pub audit_time: TimeDelta,
    /// How changes are sent to endpoints of accounts; without it, another server of the stores sends them, or none.
    pub webhooks: Option<WebhookOptions>,
    /// Where `/metrics`, and `/readyz` with its reasons, are served; nowhere without it.
    pub admin_listener: Option<TcpListener>,
    /// Notified when requests are served.
    pub ready: Option<oneshot::Sender<()>>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub fn new(rules: FieldRules, clock: Clock) -> Self {
        let (limits, tls, access_log, webhooks, admin_listener, ready, properties, tables) =
            Default::default();
        Self {
            rules,
            clock,
            properties,
            tables,
            limits,
            tls,
            access_log,
            requests_per_key: KEY_REQUESTS_PER_MINUTE,
            requests_per_address: REQUESTS_PER_MINUTE,
            audit_time: TimeDelta::days(AUDIT_DAYS),
            webhooks,
            admin_listener,
            ready,
        }
    }
}

/// Why the server does not serve.
#[derive(Debug, thiserror::Error)]
pub enum LeadsError {
    #[error(transparent)]
    Keys(#[from] KeyStoreError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Webhooks(#[from] UpstreamTlsError),
    #[error("cannot wait for the key store")]
    Join(#[from] tokio::task::JoinError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Serves until `shutdown`, lets requests in flight finish, and closes the store.
///
/// # Errors
/// The store of keys cannot be read, or a listener broke.
pub async fn serve(
    listener: TcpListener,
    store: LeadStore,
    mut keys: Box<dyn KeyStore>,
    mut options: Options,
    shutdown: impl Future<Output = ()>,
) -> Result<(), LeadsError> {
    // The calls of the key store block.
    let loaded =
        tokio::task::spawn_blocking(move || key_ring::load_keys(keys.as_mut()).map(|ring| (keys, ring)));
    let (keys, ring) = loaded.await??;
    adopt_leads(&store, &ring).await?;
    let ring = Arc::new(ArcSwap::from_pointee(ring));
    let keys_problem = Arc::<ArcSwapOption<String>>::default();
    let (stop, stopped) = watch::channel(false);
    // Its thread waits in no runtime: it ends with this sender, and not at its next look at the store.
    let (follow, unfollowed) = mpsc::channel();
    let following = {
        let (ring, problem) = (Arc::clone(&ring), Arc::clone(&keys_problem));
        tokio::task::spawn_blocking(move || key_ring::follow_store(keys, &ring, &problem, &unfollowed))
    };
    let upkeep = {
        let (store, clock, stopped) = (store.clone(), options.clock.clone(), stopped.clone());
        tokio::spawn(keep_up(store, clock, options.audit_time, stopped))
    };
    let journal = tokio::spawn(write_reads(store.clone(), stopped.clone()));
    let streams = Arc::<ChangeStreams>::default();
    let streaming = tokio::spawn(Arc::clone(&streams).follow(store.clone(), stopped.clone()));
    let delivery = options.webhooks.take().map(|webhooks| {
        let (store, streams, keys) = (store.clone(), Arc::clone(&streams), Arc::clone(&ring));
        let feed = Arc::new(WebhookFeed { store, streams, keys });
        deliver_feed(webhooks, KeyProduct::Leads, feed, options.clock.clone(), stopped.clone())
    });
    let (metrics, delivery) = delivery.transpose()?.unzip();
    let handler = Arc::new(Handler {
        store: store.clone(),
        keys: ring,
        pages: DocumentPages::new(&options.rules),
        rules: options.rules,
        clock: options.clock,
        properties: options.properties,
        tables: options.tables,
        addresses: AddressLimiter::new(options.requests_per_address),
        per_key: options.requests_per_key,
        streams: Arc::clone(&streams),
        unready: tokio::sync::Mutex::default(),
        keys_problem,
    });
    let observer = Arc::new(RequestObserver {
        metrics: RequestMetrics::for_operations(operation_names()),
        log: options.access_log.clone(),
    });
    let mut server = Server::new(listener, options.limits.clone()).of_api(&LEADS_API);
    server = server.observed_by(Arc::clone(&observer) as Arc<dyn CompletionObserver>);
    let admin = options.admin_listener.map(|listener| {
        let (log, tls) = (options.access_log, options.tls.clone());
        let mut registry = collect_metrics([
            Box::new(ObserverCollector(observer)),
            Box::new(UpkeepCollector(store.clone())),
            Box::new(server.counts()),
            Box::new(ProcessCollectors { log, tls }),
        ]);
        if let Some(metrics) = metrics {
            metrics.register(&mut registry);
        }
        let admin = Arc::new(AdminPages { handler: Arc::clone(&handler), registry });
        tokio::spawn(serve_admin(listener, admin, options.limits, stopped))
    });
    if let Some(tls) = options.tls {
        server = server.with_tls(tls);
    }
    if let Some(ready) = options.ready {
        let _ = ready.send(());
    }
    let service = service_fn(move |request: Request<Incoming>| {
        let handler = Arc::clone(&handler);
        async move { Ok::<_, Infallible>(handler.respond(request.map(Body::new)).await) }
    });
    let shutdown = async move {
        shutdown.await;
        streams.leave();
    };
    let served = server.serve(service, shutdown).await;
    let _ = stop.send(true);
    drop(follow);
    let users = [following, upkeep, journal, streaming].into_iter().chain(delivery).collect();
    close_stores(store, admin, users).await?;
    Ok(served?)
}

/// Waits for the operator's pages and the tasks that use the stores, and closes the store of leads.
async fn close_stores(
    store: LeadStore,
    admin: Option<JoinHandle<()>>,
    users: Vec<JoinHandle<()>>,
) -> Result<(), LeadsError> {
    let closing = async {
        if let Some(admin) = admin {
            let _ = admin.await;
        }
        for user in users {
            user.await?;
        }
        store.close().await;
        Ok(())
    };
    tokio::time::timeout(CLOSE_TIMEOUT, closing).await.unwrap_or_else(|_| {
        tracing::warn!("the stores do not answer, and are left as a kill leaves them");
        Ok(())
    })
}

fn collect_metrics(collectors: [Box<dyn Collector>; 4]) -> Registry {
    let mut registry = Registry::with_prefix(PREFIX);
    collectors.into_iter().for_each(|collector| registry.register_collector(collector));
    registry
}

/// Gives each lead of the store's first version to the account of the key that made it.
async fn adopt_leads(store: &LeadStore, ring: &key_ring::KeyRing) -> Result<(), StoreError> {
    let left = store.adopt_leads(ring.accounts.clone()).await?;
    if left > 0 {
        tracing::warn!(leads = left, "leads of keys that the key store does not know: no key sees them");
    }
    Ok(())
}

/// Between two attempts to wipe: the first, and the longest after many.
const WIPE_AGAIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// Between two looks at what other processes erased, and at requests that are to be forgotten.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// How often it is written down that time goes on, which `leads retention` holds its clock against.
const SEEN_INTERVAL: Duration = Duration::from_secs(600);

/// Between two times that entries of reads are written: a server that is killed loses those of so long.
const JOURNAL_INTERVAL: Duration = Duration::from_secs(1);

/// Writes who read leads, until told to stop, and then what is left.
async fn write_reads(store: LeadStore, mut stopped: watch::Receiver<bool>) {
    let mut has_failed = false;
    loop {
        let ended =
            tokio::time::timeout(JOURNAL_INTERVAL, stopped.wait_for(|stopped| *stopped)).await.is_ok();
        let written = store.write_reads().await;
        if let Err(error) = &written
            && (!has_failed || ended)
        {
            tracing::error!(error = error as &dyn std::error::Error, "entries of reads are not written");
        }
        has_failed = written.is_err();
        if ended {
            return;
        }
    }
}

/// Wipes what was erased and forgets requests by their time, until told to stop.
async fn keep_up(store: LeadStore, clock: Clock, audit_time: TimeDelta, mut stopped: watch::Receiver<bool>) {
    let (mut pause, mut has_failed, mut seen) = (WIPE_AGAIN.0, false, Instant::now());
    loop {
        let now = clock.now();
        let done = async {
            store.forget_requests(now - IDEMPOTENCY_TIME).await?;
            store.number_changes().await?;
            store.forget_events(now - audit_time).await?;
            if seen.elapsed() > SEEN_INTERVAL {
                store.probe_store(now).await?;
                seen = Instant::now();
            }
            store.wipe_erased(now).await
        };
        let done = done.await;
        if let Err(error) = &done
            && !has_failed
        {
            tracing::error!(error = error as &dyn std::error::Error, "the store of leads cannot be kept up");
        }
        has_failed = done.is_err();
        let is_wiped = matches!(done, Ok(true));
        pause = if is_wiped { WIPE_AGAIN.0 } else { WIPE_AGAIN.1.min(pause * 2) };
        let rest = async {
            if is_wiped {
                let _ = tokio::time::timeout(LOOK_INTERVAL, store.wait_for_change()).await;
            }
            // What is erased within a moment is wiped together.
            tokio::time::sleep(pause).await;
        };
        tokio::select! {
            () = rest => {}
            _ = stopped.wait_for(|stopped| *stopped) => break,
        }
    }
    // Readers of this process are gone.
    if let Err(error) = store.wipe_erased(clock.now()).await {
        tracing::error!(error = &error as &dyn std::error::Error, "erased leads are not wiped");
    }
}

/// Counts and logs every request, without its URL.
#[derive(Debug)]
struct RequestObserver {
    metrics: RequestMetrics,
    log: Option<Arc<AccessLog>>,
}

impl CompletionObserver for RequestObserver {
    fn on_complete(&self, record: &RequestRecord) {
        self.metrics.count_request(record);
        if let Some(log) = &self.log {
            let path = logged_path(record.slot.map(|slot| slot.0));
            let without_url = RequestRecord {
                uri: Uri::from_static(path),
                method: record.method.clone(),
                user_agent: None,
                request_id: record.request_id.clone(),
                caller: record.caller.clone(),
                ..*record
            };
            log.log_request(&without_url, self.metrics.operation_name(record));
        }
    }
}

#[derive(Debug)]
struct ObserverCollector(Arc<RequestObserver>);

impl Collector for ObserverCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        self.0.metrics.encode(encoder)
    }
}

/// Pending maintenance of the store, as metrics.
#[derive(Debug)]
struct UpkeepCollector(LeadStore);

impl Collector for UpkeepCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let Some(erasures) = self.0.erasures_not_wiped() else { return Ok(()) };
        let help = "Erased leads of which bytes may still be in SQLite's log";
        let gauge = ConstGauge::new(erasures);
        let metric = encoder.encode_descriptor("erasures_not_wiped", help, None, gauge.metric_type())?;
        gauge.encode(metric)
    }
}

/// Pages of the operator's listener.
struct AdminPages {
    handler: Arc<Handler>,
    registry: Registry,
}

/// Serves the operator's pages as long as leads are served.
async fn serve_admin(
    listener: TcpListener,
    admin: Arc<AdminPages>,
    limits: ConnectionLimits,
    mut stopped: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let admin = Arc::clone(&admin);
        async move { Ok::<_, Infallible>(admin.respond(&request).await) }
    });
    let shutdown = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let limits = ConnectionLimits { drain_grace: Duration::ZERO, ..limits };
    if let Err(error) = Server::new(listener, limits).of_api(&LEADS_API).serve(service, shutdown).await {
        tracing::error!(error = &error as &dyn std::error::Error, "the operator's pages are not served");
    }
}

impl AdminPages {
    async fn respond<B>(&self, request: &Request<B>) -> Response<Body> {
        let id = request_id();
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/metrics") => metrics_response(&self.registry, id),
            (&Method::GET, "/readyz") => self.handler.readiness_details(id).await,
            _ => {
                let message = "No such route: GET /metrics and /readyz are here";
                Refusal::new(Code::NotFound, message).respond(id)
            }
        }
    }
}

fn metrics_response(registry: &Registry, id: Uuid) -> Response<Body> {
    let mut written = String::new();
    if prometheus_client::encoding::text::encode(&mut written, registry).is_err() {
        return Refusal::new(Code::Internal, "The metrics cannot be written").respond(id);
    }
    let mut response = json_response(StatusCode::OK, written, id);
    response.headers_mut().insert(CONTENT_TYPE, METRICS);
    response
}
