//! Sends requests to the canonical hosts ("upstreams"): load balancing, timeouts, retries, health.
//!
//! ```text
//! host       one upstream: its address, health state and load    health         health checks
//! client     the HTTP client and its TLS settings                retry_budget   the retry budget
//! response   a response whose first bytes have arrived           error          why a request failed
//! ```

mod client;
mod error;
mod health;
mod host;
mod response;
mod retry_budget;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::header::HeaderValue;
use tokio::time::timeout;

use crate::metrics::Metrics;

use client::HttpClient;
pub use client::{Timeouts, UpstreamTlsError};
pub(crate) use client::{read_authorities, system_authorities};
use error::UpstreamError;
pub use host::InvalidUpstream;
use host::Upstream;
pub(crate) use host::{HealthState, UpstreamRequest};
pub(crate) use response::{UpstreamBody, UpstreamResponse};
use retry_budget::RetryBudget;

/// Where the upstreams are and how the gateway authenticates them and itself.
#[derive(Debug)]
pub(crate) struct UpstreamConfig<'a> {
    pub(crate) addresses: &'a [String],
    /// PEM file of the trusted certificate authorities; without it, the system's are trusted.
    pub(crate) ca: Option<&'a Path>,
    /// Sent as `Authorization`.
    pub(crate) key: Option<&'a HeaderValue>,
    pub(crate) timeouts: Timeouts,
}

/// Why the configuration of the upstreams cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UpstreamConfigError {
    #[error(transparent)]
    Address(#[from] InvalidUpstream),
    #[error(transparent)]
    Tls(#[from] UpstreamTlsError),
}

/// All upstreams, and the client that sends requests to them.
#[derive(Debug)]
pub(crate) struct UpstreamPool {
    upstreams: Vec<Arc<Upstream>>,
    client: HttpClient,
    timeouts: Timeouts,
    retry_budget: RetryBudget,
    /// Round-robin position, for upstreams that are equally loaded.
    next: AtomicUsize,
    metrics: Metrics,
}

impl UpstreamPool {
    pub(crate) fn new(config: UpstreamConfig<'_>, metrics: Metrics) -> Result<Self, UpstreamConfigError> {
        let parse = |address: &String| Upstream::parse(address, config.key).map(Arc::new);
        let upstreams = config.addresses.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let has_tls = upstreams.iter().any(|upstream| upstream.is_tls());
        let client = client::build_client(has_tls, config.ca, &config.timeouts)?;
        let (retry_budget, next) = Default::default();
        Ok(Self { upstreams, client, timeouts: config.timeouts, retry_budget, next, metrics })
    }

    /// Sends a request. If an upstream fails, the request is sent once more: to another upstream, or to the same one
    /// if a pooled connection may have been closed as it was used. `None` when no upstream responds.
    pub(crate) async fn send_request(&self, request: UpstreamRequest<'_>) -> Option<UpstreamResponse> {
        self.retry_budget.deposit();
        let first = self.choose_upstream(None)?;
        let error = match self.attempt_request(first, request).await {
            Ok(response) => return Some(response),
            Err(error) => error,
        };
        let second = self.choose_upstream(Some(first)).or_else(|| error.is_retryable().then_some(first))?;
        if !self.retry_budget.withdraw() {
            return None;
        }
        self.metrics.retries.inc();
        self.attempt_request(second, request).await.ok()
    }

    /// The least loaded upstream among those in the best health state.
    fn choose_upstream(&self, except: Option<&Arc<Upstream>>) -> Option<&Arc<Upstream>> {
        let start = self.next.fetch_add(1, Ordering::Relaxed) % self.upstreams.len().max(1);
        let (before, after) = self.upstreams.split_at(start);
        let candidates = after.iter().chain(before).filter(|upstream| {
            except.is_none_or(|except| !Arc::ptr_eq(except, upstream))
                && upstream.state() != HealthState::Down
        });
        candidates.min_by_key(|upstream| (upstream.state(), upstream.requests_in_flight()))
    }

    async fn attempt_request(
        &self,
        upstream: &Arc<Upstream>,
        request: UpstreamRequest<'_>,
    ) -> Result<UpstreamResponse, UpstreamError> {
        let result = self.send_once(upstream, request, self.timeouts.response).await;
        match &result {
            Ok(_) => upstream.record_acceptance(),
            Err(error) => {
                self.metrics.upstream_faults.inc();
                match error {
                    // Health checks, which a host answers at once, tell whether it is slow or down.
                    UpstreamError::Timeout => {}
                    UpstreamError::Rejected(status) => upstream.record_rejection(*status),
                    error if error.is_out_of_files() => {}
                    error => upstream.record_failure(error),
                }
            }
        }
        result
    }

    /// Sends a request to one upstream, and waits until the first bytes of the response body have arrived.
    async fn send_once(
        &self,
        upstream: &Arc<Upstream>,
        request: UpstreamRequest<'_>,
        limit: Duration,
    ) -> Result<UpstreamResponse, UpstreamError> {
        let in_flight = upstream.start_request();
        let response = async {
            let response =
                self.client.request(upstream.build_request(request)).await.map_err(UpstreamError::from)?;
            UpstreamResponse::receive_response(response, in_flight, self.timeouts.body_frame).await
        };
        timeout(limit, response).await.unwrap_or(Err(UpstreamError::Timeout))
    }
}
