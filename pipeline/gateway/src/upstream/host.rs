//! One upstream: its address, its health state, and the number of requests that it is serving.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};

use bytes::Bytes;
use fdna_http::{X_GATEWAY_CLIENT, X_GATEWAY_REQUEST_ID};
use http_body_util::Empty;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use hyper::http::uri::{Authority, Parts, PathAndQuery, Scheme};
use hyper::{Method, Request, StatusCode, Uri};
use tokio_rustls::rustls::pki_types::ServerName;
use uuid::Uuid;

use super::error::UpstreamError;
use crate::headers;

/// Consecutive failures after which an upstream is down until a health check succeeds.
const MAX_FAILURES: u32 = 3;

/// An address that is not an upstream's.
#[derive(Debug, thiserror::Error)]
#[error("upstream `{0}` is not http://HOST:PORT or https://HOST:PORT")]
pub struct InvalidUpstream(String);

/// The health of an upstream, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HealthState {
    /// It serves. The state before the first health check, too.
    Ready,
    /// It responds that it has nothing to serve.
    Unready,
    /// It responds, and rejects the gateway.
    Refusing,
    /// It does not respond.
    Down,
}

impl HealthState {
    pub(crate) const ALL: [Self; 4] = [Self::Ready, Self::Unready, Self::Refusing, Self::Down];

    /// As metrics and `/readyz` name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Unready => "unready",
            Self::Refusing => "refusing",
            Self::Down => "down",
        }
    }
}

/// A request to be sent to an upstream. It has no body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UpstreamRequest<'a> {
    pub(crate) method: &'a Method,
    pub(crate) target: &'a PathAndQuery,
    /// As the client sent them.
    pub(crate) headers: &'a HeaderMap,
    /// The client's account, by which an upstream limits its rate; `None` without a key.
    pub(crate) account: Option<&'a str>,
    pub(crate) request_id: Option<Uuid>,
}

/// One upstream.
#[derive(Debug)]
pub(crate) struct Upstream {
    scheme: Scheme,
    pub(super) authority: Authority,
    /// Sent as `Authorization`.
    key: Option<HeaderValue>,
    state: AtomicU8,
    failures: AtomicU32,
    /// It responds, and rejects the gateway.
    pub(super) is_rejecting: AtomicBool,
    in_flight: Arc<AtomicUsize>,
}

impl Upstream {
    /// An upstream at `http://HOST:PORT`, or https, and nothing more: a path or a password would not be sent.
    pub(super) fn parse(address: &str, key: Option<&HeaderValue>) -> Result<Self, InvalidUpstream> {
        let (scheme, authority) =
            parse_address(address).ok_or_else(|| InvalidUpstream(without_password(address)))?;
        let (state, failures, is_rejecting, in_flight) = Default::default();
        Ok(Self { scheme, authority, key: key.cloned(), state, failures, is_rejecting, in_flight })
    }

    pub(super) fn is_tls(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// The request as it is sent: with the client's headers that may pass, and the gateway's own.
    pub(super) fn build_request(&self, request: UpstreamRequest<'_>) -> Request<Empty<Bytes>> {
        let mut headers = headers::forwarded_headers(request.headers);
        if let Some(key) = &self.key {
            headers.insert(AUTHORIZATION, key.clone());
        }
        if let Some(account) = request.account.and_then(client_name) {
            headers.insert(X_GATEWAY_CLIENT, account);
        }
        if let Some(id) = request.request_id {
            headers.insert(X_GATEWAY_REQUEST_ID, headers::uuid_value(id));
        }
        let mut parts = Parts::default();
        parts.scheme = Some(self.scheme.clone());
        parts.authority = Some(self.authority.clone());
        parts.path_and_query = Some(request.target.clone());
        let mut sent = Request::new(Empty::new());
        *sent.method_mut() = request.method.clone();
        // Valid, as it has a scheme, an authority and a path.
        *sent.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        *sent.headers_mut() = headers;
        sent
    }

    pub(crate) fn state(&self) -> HealthState {
        match self.state.load(Ordering::Relaxed) {
            2 => HealthState::Down,
            _ if self.is_rejecting.load(Ordering::Relaxed) => HealthState::Refusing,
            1 => HealthState::Unready,
            _ => HealthState::Ready,
        }
    }

    /// Changes are logged.
    pub(super) fn set_state(&self, state: HealthState) {
        let number = match state {
            HealthState::Ready => 0,
            HealthState::Unready | HealthState::Refusing => 1,
            HealthState::Down => 2,
        };
        if self.state.swap(number, Ordering::Relaxed) != number {
            tracing::warn!(host = %self.authority, state = state.name(), "canonical host");
        }
    }

    /// Counts a request as in flight until the returned guard is dropped.
    pub(super) fn start_request(&self) -> InFlightGuard {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlightGuard(Arc::clone(&self.in_flight))
    }

    pub(super) fn requests_in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// A response to a request that needs no key.
    pub(super) fn record_response(&self) {
        self.failures.store(0, Ordering::Relaxed);
    }

    /// A response to a request that the upstream answers with the gateway's key alone.
    pub(super) fn record_acceptance(&self) {
        self.record_response();
        if self.is_rejecting.swap(false, Ordering::Relaxed) {
            tracing::warn!(host = %self.authority, "canonical host accepts the gateway again");
        }
    }

    /// Logged once, until the upstream accepts the gateway again.
    pub(super) fn record_rejection(&self, status: StatusCode) {
        if !self.is_rejecting.swap(true, Ordering::Relaxed) {
            let status = status.as_u16();
            tracing::error!(
                host = %self.authority,
                status,
                "canonical host rejects the gateway: clients get 502 (see --upstream-key-file)"
            );
        }
    }

    /// An upstream that cannot be reached is down at once, one that fails otherwise after [`MAX_FAILURES`].
    pub(super) fn record_failure(&self, error: &UpstreamError) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!(host = %self.authority, error = error as &dyn std::error::Error, "request failed");
        if matches!(error, UpstreamError::Connect(_)) || failures >= MAX_FAILURES {
            self.set_state(HealthState::Down);
        }
    }
}

/// Counts a request as in flight while it exists.
#[derive(Debug)]
pub(super) struct InFlightGuard(Arc<AtomicUsize>);

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An account's name, if a canonical host accepts it as the name of a client.
fn client_name(account: &str) -> Option<HeaderValue> {
    let is_accepted =
        (1..=64).contains(&account.len()) && account.bytes().all(|byte| byte.is_ascii_graphic());
    is_accepted.then(|| HeaderValue::from_str(account).ok()).flatten()
}

fn parse_address(address: &str) -> Option<(Scheme, Authority)> {
    let uri: Uri = address.parse().ok()?;
    let has_path = uri.path_and_query().is_some_and(|rest| rest.as_str() != "/");
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?.clone();
    let scheme = uri.scheme().filter(|scheme| [Scheme::HTTP, Scheme::HTTPS].contains(scheme))?.clone();
    // A certificate cannot be for any other name.
    let is_name = ServerName::try_from(authority.host().trim_matches(['[', ']'])).is_ok();
    (!has_path && (is_name || scheme == Scheme::HTTP)).then_some((scheme, authority))
}

/// An address that can be printed.
fn without_password(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => address.to_owned(),
    }
}
