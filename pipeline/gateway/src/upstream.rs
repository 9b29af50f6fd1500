//! The canonical hosts: which are well, which one is asked, and what becomes of a request when one is not.

mod answer;
mod health;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::header::HeaderMap;
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Method, Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::Instant;

use crate::metrics::Metrics;
use crate::retry::RetryBudget;

pub(crate) use answer::AnswerBody;
pub(crate) use health::State;

/// Failures in a row after which a host is left alone until it says that it is well.
const MAX_FAILURES: u32 = 3;

/// Connections that are kept are closed on this side before the canonical host closes them, after a minute.
const KEPT: Duration = Duration::from_secs(30);

/// Times for a canonical host.
#[derive(Debug, Clone)]
pub struct Patience {
    pub connect: Duration,
    /// Until the head and the beginning of the body are there, a second host included.
    pub total: Duration,
    /// Between two pieces of a long body.
    pub silence: Duration,
    /// Between two looks at whether a host is well.
    pub look: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_millis(250),
            total: Duration::from_secs(5),
            silence: Duration::from_secs(5),
            look: Duration::from_millis(500),
        }
    }
}

/// An address that is no canonical host's.
#[derive(Debug, thiserror::Error)]
#[error("use the upstream `{0}`: it must be http://HOST:PORT")]
pub struct BadUpstream(String);

/// One canonical host.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) authority: Authority,
    state: AtomicU8,
    failures: AtomicU32,
    in_flight: AtomicUsize,
}

/// All canonical hosts.
#[derive(Debug)]
pub(crate) struct Upstreams {
    hosts: Vec<Arc<Upstream>>,
    client: Client<HttpConnector, Empty<Bytes>>,
    patience: Patience,
    budget: RetryBudget,
    next: AtomicUsize,
    metrics: Arc<Metrics>,
}

/// Why a host gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("connect to it")]
    Connect(#[source] hyper_util::client::legacy::Error),
    #[error("get an answer from it")]
    Broken(#[source] hyper_util::client::legacy::Error),
    #[error("get the whole body from it")]
    Cut(#[source] hyper::Error),
    #[error("get an answer from it in time")]
    Late,
    #[error("get an HTTP answer from it: it switched protocols")]
    Switched,
}

impl Upstreams {
    pub(crate) fn of(
        addresses: &[String],
        patience: Patience,
        metrics: Arc<Metrics>,
    ) -> Result<Self, BadUpstream> {
        let hosts: Result<Vec<_>, _> =
            addresses.iter().map(|address| Upstream::of(address).map(Arc::new)).collect();
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(patience.connect));
        connector.set_nodelay(true);
        connector.set_keepalive(Some(KEPT));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(KEPT)
            .pool_max_idle_per_host(512)
            .build(connector);
        let (budget, next) = Default::default();
        Ok(Self { hosts: hosts?, client, patience, budget, next, metrics })
    }

    /// Asks a host, and if it fails another one, or the same where a kept connection may just have ended. `None` when
    /// no host answers.
    pub(crate) async fn ask(
        &self,
        method: &Method,
        target: &PathAndQuery,
        headers: HeaderMap,
    ) -> Option<Response<AnswerBody>> {
        let deadline = Instant::now() + self.patience.total;
        self.budget.earn();
        let first = self.pick(None)?;
        let is_alone =
            !self.hosts.iter().any(|host| !Arc::ptr_eq(host, &first) && host.state() != State::Down);
        // A host that hangs leaves another one time to answer.
        let in_time = if is_alone { deadline } else { deadline - self.patience.total / 2 };
        let fault = match self.attempt(&first, method, target, headers.clone(), in_time).await {
            Ok(answer) => return Some(answer),
            Err(fault) => fault,
        };
        let other = self.pick(Some(&first)).or_else(|| fault.may_be_stale().then_some(first))?;
        if !self.budget.spend() {
            return None;
        }
        self.metrics.retries.up();
        self.attempt(&other, method, target, headers, deadline).await.ok()
    }

    /// The host with the fewest requests among those that are best off.
    fn pick(&self, but: Option<&Arc<Upstream>>) -> Option<Arc<Upstream>> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let (after, before) = self.hosts.split_at(turn % self.hosts.len().max(1));
        let others = before.iter().chain(after).filter(|host| but.is_none_or(|but| !Arc::ptr_eq(but, host)));
        let up = others.filter(|host| host.state() != State::Down);
        up.min_by_key(|host| (host.state(), host.in_flight.load(Ordering::Relaxed))).map(Arc::clone)
    }

    async fn attempt(
        &self,
        host: &Arc<Upstream>,
        method: &Method,
        target: &PathAndQuery,
        headers: HeaderMap,
        deadline: Instant,
    ) -> Result<Response<AnswerBody>, Fault> {
        let _in_flight = InFlight::of(host);
        let asking = async {
            let request = host.request(method, target, headers);
            let response = self.client.request(request).await.map_err(Fault::of)?;
            answer::begin(response, self.patience.silence).await
        };
        let answer = tokio::time::timeout_at(deadline, asking).await.unwrap_or(Err(Fault::Late));
        match &answer {
            Ok(_) => host.failures.store(0, Ordering::Relaxed),
            Err(fault) => {
                self.metrics.faults.up();
                host.failed(fault);
            }
        }
        answer
    }
}

impl Upstream {
    fn of(address: &str) -> Result<Self, BadUpstream> {
        let authority = authority(address).ok_or_else(|| BadUpstream(without_user(address)))?;
        let (state, failures, in_flight) = Default::default();
        Ok(Self { authority, state, failures, in_flight })
    }

    fn request(&self, method: &Method, target: &PathAndQuery, headers: HeaderMap) -> Request<Empty<Bytes>> {
        let mut parts = hyper::http::uri::Parts::default();
        parts.scheme = Some(Scheme::HTTP);
        parts.authority = Some(self.authority.clone());
        parts.path_and_query = Some(target.clone());
        let mut request = Request::new(Empty::new());
        *request.method_mut() = method.clone();
        // Scheme, authority and path are all there, which is all that can be wrong.
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        *request.headers_mut() = headers;
        request
    }

    /// A host that cannot be reached is left alone at once, one that fails in another way after a few times.
    fn failed(&self, fault: &Fault) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!(host = %self.authority, error = fault as &dyn std::error::Error, "failed");
        if matches!(fault, Fault::Connect(_)) || failures >= MAX_FAILURES {
            self.is_now(State::Down);
        }
    }
}

impl Fault {
    fn of(error: hyper_util::client::legacy::Error) -> Self {
        if error.is_connect() { Self::Connect(error) } else { Self::Broken(error) }
    }

    /// Whether the connection broke, rather than could not be made: a kept one may have ended as it was used.
    fn may_be_stale(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Cut(_))
    }
}

/// Of `http://HOST:PORT` and nothing more: a path or a password would not be sent.
fn authority(address: &str) -> Option<Authority> {
    let uri: Uri = address.parse().ok()?;
    let is_bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    (is_bare && uri.scheme() == Some(&Scheme::HTTP)).then(|| authority.clone())
}

/// An address as it may be printed.
fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => address.to_owned(),
    }
}

/// Counts a request while it is asked.
struct InFlight(Arc<Upstream>);

impl InFlight {
    fn of(host: &Arc<Upstream>) -> Self {
        host.in_flight.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(host))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
