//! Health checks: each upstream is checked by requests of the gateway's own, so that none of a client's is lost on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::header::HeaderMap;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, StatusCode};

use super::UpstreamPool;
use super::error::UpstreamError;
use super::host::{HealthState, Upstream, UpstreamRequest};

/// A health check that takes longer has failed.
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_millis(500);

impl UpstreamPool {
    /// Every upstream's address and health.
    pub(crate) fn health_states(&self) -> impl Iterator<Item = (&str, HealthState)> {
        self.upstreams.iter().map(|upstream| (upstream.authority.as_str(), upstream.state()))
    }

    /// Checks all upstreams until the task is aborted.
    pub(crate) async fn run_health_checks(self: Arc<Self>) {
        let mut checks = tokio::task::JoinSet::new();
        for upstream in &self.upstreams {
            let (pool, upstream) = (Arc::clone(&self), Arc::clone(upstream));
            checks.spawn(async move {
                loop {
                    pool.check_health(&upstream).await;
                    tokio::time::sleep(pool.timeouts.health_check_interval).await;
                }
            });
        }
        while checks.join_next().await.is_some() {}
    }

    async fn check_health(&self, upstream: &Arc<Upstream>) {
        // `/readyz` needs no key, so that an upstream that rejects the gateway is sent what a client may send.
        let is_rejecting = upstream.is_rejecting.load(Ordering::Relaxed);
        let target = PathAndQuery::from_static(if is_rejecting { "/v1/mma" } else { "/readyz" });
        let headers = HeaderMap::new();
        let request = UpstreamRequest {
            method: &Method::GET,
            target: &target,
            headers: &headers,
            account: None,
            request_id: None,
        };
        match self.send_once(upstream, request, HEALTH_CHECK_TIMEOUT).await {
            Ok(response) => {
                // An upstream may have rejected a client's request while this check was on its way.
                if is_rejecting {
                    upstream.record_acceptance()
                } else {
                    upstream.record_response()
                }
                let is_ready = response.status == StatusCode::OK;
                upstream.set_state(if is_ready { HealthState::Ready } else { HealthState::Unready });
            }
            Err(UpstreamError::Rejected(status)) => upstream.record_rejection(status),
            Err(error) if error.is_out_of_files() => {}
            // A single timeout may be a slow upstream.
            Err(error @ UpstreamError::Timeout) => upstream.record_failure(&error),
            Err(_) => upstream.set_state(HealthState::Down),
        }
    }
}
