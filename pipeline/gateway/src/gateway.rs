//! Handles a request: form, key, plan, rate limit, quota, upstream.

use std::sync::Arc;
use std::time::Instant;

use axum_core::body::Body;
use chrono::{DateTime, Utc};
use fdna_api::operations::snapshots::TABLE_FILE;
use fdna_api::{ErrorCode, ErrorDetails, Failure};
use fdna_http::{Cors, PeerAddress, failure_response, guard, is_event_stream, request_id, without_body};
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request, Response, StatusCode, Uri};
use tokio::sync::watch;
use uuid::Uuid;

use crate::account_usage;
use crate::account_webhooks;
use crate::accounting::Accounting;
use crate::address_limiter::{AddressLimiter, LimitExceeded};
use crate::admin;
use crate::credential;
use crate::download::count_bytes;
use crate::entitlement::MatchedOperation;
use crate::event_stream::until_stopping;
use crate::headers;
use crate::key_index::ApiKeyIdentity;
use crate::metrics::Metrics;
use crate::product::Product;
use crate::rate_limiter::{LimitStatus, UsageKey};
use crate::upstream::{UpstreamBody, UpstreamPool, UpstreamRequest, UpstreamResponse};
use crate::usage_tracker::{AdmissionError, AdmittedRequest, UsageTracker};
use crate::webhooks::{StoreHandle, WebhookMetrics};

/// Parts that handle requests.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) accounting: Accounting,
    pub(crate) upstreams: Arc<UpstreamPool>,
    pub(crate) metrics: Metrics,
    pub(crate) product: Product,
    /// The store and metrics of webhooks, where this gateway delivers them.
    pub(crate) webhooks: Option<(StoreHandle, WebhookMetrics)>,
    /// Limits the responses 401 and 403 to one address.
    pub(crate) refusal_limiter: AddressLimiter,
    /// Limits the documentation pages that one address reads, which needs no key.
    pub(crate) docs_limiter: AddressLimiter,
    pub(crate) cors: Arc<Cors>,
    pub(crate) has_access_log: bool,
    /// Whether the gateway stops, at which streams end.
    pub(crate) stopping: watch::Sender<bool>,
}

/// A request that is being handled.
struct RequestContext<'a> {
    request: &'a Request<Incoming>,
    id: Uuid,
    /// Path and query, without a key.
    target: PathAndQuery,
    /// The key that stood in the query.
    key_in_url: Option<String>,
    operation: Option<MatchedOperation<'a>>,
    received_at: DateTime<Utc>,
}

impl RequestContext<'_> {
    fn operation_name(&self) -> &'static str {
        self.operation.as_ref().and_then(|matched| matched.name).unwrap_or("none")
    }

    /// Whether the operation sends the file of a table, whose bytes are counted.
    fn is_download(&self) -> bool {
        self.operation_name() == TABLE_FILE.name
    }
}

/// The holder of a valid key, and what remains of its limits.
struct Principal {
    identity: Arc<ApiKeyIdentity>,
    limits: LimitStatus,
}

/// A response that is not a refusal.
enum Reply {
    /// Documentation pages have no principal.
    Upstream(Option<Principal>, UpstreamResponse),
    /// The file of a table.
    Download(Principal, UpstreamResponse, UsageKey),
    /// From the gateway itself.
    Local(Principal, Response<Body>),
}

/// An error response of the gateway itself.
struct Refusal {
    failure: Failure,
    principal: Option<Principal>,
    /// In seconds.
    retry_after: Option<i64>,
}

impl Refusal {
    fn to_principal(failure: Failure, principal: Principal) -> Box<Self> {
        Box::new(Self { failure, principal: Some(principal), retry_after: None })
    }
}

impl From<Failure> for Box<Refusal> {
    fn from(failure: Failure) -> Self {
        Self::new(Refusal { failure, principal: None, retry_after: None })
    }
}

impl Gateway {
    pub(crate) async fn respond(&self, request: &Request<Incoming>) -> Response<Body> {
        let (started, id) = (Instant::now(), request_id());
        if let Some(health) = admin::public_health(self, request) {
            return without_body(request.method(), health);
        }
        if let Some(preflight) = self.cors.answer_preflight(request) {
            return preflight;
        }
        let received_at = self.accounting.now();
        let (cut, wrong_url) = match self.cut_key(request.uri()) {
            Ok(cut) => (cut, None),
            Err(failure) => ((PathAndQuery::from_static("/"), None), Some(failure)),
        };
        let (target, key_in_url) = cut;
        let operation = self.product.find_operation(target.path(), target.query());
        let context = RequestContext { request, id, target, key_in_url, operation, received_at };
        let result = match wrong_url {
            Some(failure) => Err(failure.into()),
            None => self.handle_request(&context).await,
        };
        let result = result.map_err(|refusal| self.throttle_refusal(refusal, &context));
        let now = self.accounting.now().timestamp();
        let (principal, mut response) = match result {
            Ok(Reply::Upstream(principal, response)) => {
                let own = match &principal {
                    Some(principal) => limit_headers(principal, now, id),
                    None => headers::for_anyone(id),
                };
                let is_stream = is_event_stream(&response.headers);
                let body = |body| match is_stream {
                    true => until_stopping(body, self.stopping.subscribe()),
                    false => Body::new(body),
                };
                (principal, from_upstream(response, own, body))
            }
            Ok(Reply::Download(principal, response, usage_key)) => {
                let own = limit_headers(&principal, now, id);
                let identity = Arc::clone(&principal.identity);
                let count = |body| count_bytes(body, &identity, usage_key);
                (Some(principal), from_upstream(response, own, count))
            }
            Ok(Reply::Local(principal, mut response)) => {
                response.headers_mut().extend(limit_headers(&principal, now, id));
                (Some(principal), without_body(request.method(), response))
            }
            Err(refusal) => {
                let response = self.refuse_request(&refusal, &context);
                (refusal.principal, without_body(request.method(), response))
            }
        };
        headers::set_gateway_version(response.headers_mut(), self.product.gateway_version());
        let (status, elapsed) = (response.status().as_u16(), started.elapsed());
        let identity = principal.map(|principal| principal.identity);
        self.metrics.record_response(identity.as_ref().map(|identity| identity.plan), status, elapsed);
        let (account, key) =
            identity.as_ref().map_or(("none", "none"), |identity| (&identity.account, &identity.shown));
        tracing::debug!(%id, status, account, key, operation = context.operation_name(), ?elapsed, "responded");
        if let Some(identity) = identity.filter(|_| self.has_access_log) {
            response.extensions_mut().insert(Arc::clone(&identity.caller));
        }
        response
    }

    /// Turns 401 and 403 into 429 if the address has had too many of them.
    fn throttle_refusal(&self, refusal: Box<Refusal>, context: &RequestContext<'_>) -> Box<Refusal> {
        if !matches!(refusal.failure.code, ErrorCode::Unauthorized | ErrorCode::PlanRequired) {
            return refusal;
        }
        let Some(exceeded) = count_address(&self.refusal_limiter, context) else { return refusal };
        self.metrics.throttled_refusals.inc();
        let too_many = too_many("refused requests of this address", exceeded);
        Box::new(Refusal { principal: refusal.principal, ..too_many })
    }

    /// Checks a request in the order of the API contract, and sends it to an upstream.
    async fn handle_request(&self, context: &RequestContext<'_>) -> Result<Reply, Box<Refusal>> {
        let request = context.request;
        guard::check_request(request)?;
        let (path, query) = (context.target.path(), context.target.query());
        credential::reject_key_in_url(path, query)?;
        let in_url = context.key_in_url.as_deref();
        let has_key = in_url.is_some() || credential::has_key(request.headers());
        if self.product.is_public(path, has_key) {
            return self.serve_documentation(context).await;
        }
        let (headers, received_at) = (request.headers(), context.received_at);
        let identity = credential::authenticate(headers, in_url, &self.accounting.key_index(), received_at)?;
        if let Some(operation) = &context.operation {
            check_plan(operation, &identity, received_at)?;
        }
        if context.is_download() {
            check_download(&identity, received_at)?;
        }
        let tracker = &identity.tracker;
        let operation = context.operation_name();
        let admitted = tracker.admit_request(&identity, operation, received_at, &self.accounting).await;
        let has_webhooks = self.webhooks.is_some() && self.product.is_account_webhooks(path);
        if has_webhooks || self.product.is_account_usage(path) {
            return self.account_page(admitted, &identity, context).await;
        }
        let admitted = admitted.map_err(|error| refuse_admission(error, &identity, received_at))?;
        match self.forward_request(context, Some(&identity)).await {
            Ok(response) => {
                // 304 is free: the client already has the data.
                let is_free =
                    response.status.is_server_error() || response.status == StatusCode::NOT_MODIFIED;
                let limits = self.limits_after(&admitted, is_free);
                let usage_key = admitted.usage_key;
                let principal = Principal { identity: Arc::clone(&identity), limits };
                Ok(match context.is_download() {
                    true => Reply::Download(principal, response, usage_key),
                    false => Reply::Upstream(Some(principal), response),
                })
            }
            Err(failure) => {
                let limits = self.limits_after(&admitted, failure.code.status() >= 500);
                Err(Refusal::to_principal(failure, Principal { identity, limits }))
            }
        }
    }

    /// The account's usage or webhooks, which are free of charge and available when the quota is used up, too.
    async fn account_page(
        &self,
        admitted: Result<AdmittedRequest<'_>, AdmissionError>,
        identity: &Arc<ApiKeyIdentity>,
        context: &RequestContext<'_>,
    ) -> Result<Reply, Box<Refusal>> {
        let limits = match admitted {
            Ok(admitted) => self.limits_after(&admitted, true),
            Err(AdmissionError::QuotaExceeded(limits)) => limits,
            Err(error) => return Err(refuse_admission(error, identity, context.received_at)),
        };
        let principal = Principal { identity: Arc::clone(identity), limits };
        let (method, query) = (context.request.method(), context.target.query());
        let meta = (context.id, self.product.api());
        let response = match &self.webhooks {
            Some((store, _)) if self.product.is_account_webhooks(context.target.path()) => {
                account_webhooks::respond_webhooks(store, identity, method, query, meta).await
            }
            _ => account_usage::respond_usage(&limits, identity, method, query, meta),
        };
        match response {
            Ok(response) => Ok(Reply::Local(principal, response)),
            Err(failure) => Err(Refusal::to_principal(failure, principal)),
        }
    }

    /// The documentation, which needs no key and is limited by address.
    async fn serve_documentation(&self, context: &RequestContext<'_>) -> Result<Reply, Box<Refusal>> {
        if let Some(exceeded) = count_address(&self.docs_limiter, context) {
            return Err(Box::new(too_many("pages without a key for this address", exceeded)));
        }
        Ok(Reply::Upstream(None, self.forward_request(context, None).await?))
    }

    async fn forward_request(
        &self,
        context: &RequestContext<'_>,
        identity: Option<&ApiKeyIdentity>,
    ) -> Result<UpstreamResponse, Failure> {
        let request = context.request;
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
            return Err(Failure::new(ErrorCode::MethodNotAllowed, "This interface is read-only: use GET"));
        }
        // Outside the contract a canonical host serves its operator's pages, which clients may not see.
        let target = &context.target;
        if context.operation.is_none() && identity.is_some() {
            return Err(self.product.no_route(target.path()));
        }
        let added = identity
            .and_then(|identity| self.product.added_query(target.path(), target.query(), identity.plan));
        let added = added.and_then(|added| {
            let separator = if target.query().is_some() { '&' } else { '?' };
            PathAndQuery::try_from(format!("{target}{separator}{added}")).ok()
        });
        let target = added.as_ref().unwrap_or(target);
        let account = identity.map(|identity| identity.account.as_str());
        let (method, headers) = (request.method(), request.headers());
        let request = UpstreamRequest { method, target, headers, account, request_id: Some(context.id) };
        self.upstreams.send_request(request).await.ok_or_else(|| {
            Failure::new(ErrorCode::UpstreamUnavailable, "Service temporarily unavailable; please retry")
        })
    }

    /// Path and query without a key, where the API takes one there.
    fn cut_key(&self, uri: &Uri) -> Result<(PathAndQuery, Option<String>), Failure> {
        if self.product.takes_key_in_url() {
            return credential::cut_key(uri);
        }
        let target = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        Ok((target, None))
    }

    /// The limit headers are of the time of `Retry-After`, so that both name the same seconds.
    fn refuse_request(&self, refusal: &Refusal, context: &RequestContext<'_>) -> Response<Body> {
        let mut response = failure_response(&refusal.failure.clone().by(self.product.api()), context.id);
        let headers = response.headers_mut();
        match &refusal.principal {
            Some(principal) => {
                headers.extend(limit_headers(principal, context.received_at.timestamp(), context.id));
            }
            None => headers::add_gateway_version(headers),
        }
        if let Some(seconds) = refusal.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if refusal.failure.code == ErrorCode::Unauthorized {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"fightdna\""));
        }
        response
    }

    /// The limits after a response. A free one is refunded to the quota.
    fn limits_after(&self, admitted: &AdmittedRequest<'_>, is_free: bool) -> LimitStatus {
        if is_free { admitted.refund_request(self.accounting.now()) } else { admitted.limits }
    }
}

fn limit_headers(principal: &Principal, now: i64, id: Uuid) -> HeaderMap {
    headers::for_key(principal.identity.plan, &principal.limits, now, id)
}

fn from_upstream(
    upstream: UpstreamResponse,
    own: HeaderMap,
    body: impl FnOnce(UpstreamBody) -> Body,
) -> Response<Body> {
    let mut response = Response::new(body(upstream.body));
    *response.status_mut() = upstream.status;
    *response.headers_mut() = headers::merge_response_headers(own, &upstream.headers);
    response
}

fn count_address(limiter: &AddressLimiter, context: &RequestContext<'_>) -> Option<LimitExceeded> {
    let PeerAddress(address) = context.request.extensions().get()?;
    limiter.count_event(address.ip(), context.received_at)
}

fn check_plan(
    matched: &MatchedOperation<'_>,
    identity: &Arc<ApiKeyIdentity>,
    now: DateTime<Utc>,
) -> Result<(), Box<Refusal>> {
    if matched.plans.contains(&identity.plan) {
        return Ok(());
    }
    let (what, actual) = (matched.lacking_entitlement(identity.plan), identity.plan.name());
    let required = matched.plans.first().map(|plan| plan.name());
    let message = match required {
        Some(required) => format!("{what} needs the plan {required}; the plan of this key is {actual}"),
        None => format!(
            "{what} is in no plan of this API; the plan of this key is {actual}. GET /sports lists the routes that it has; \
             whoever runs this API can add others to a plan"
        ),
    };
    let failure = Failure::new(ErrorCode::PlanRequired, message);
    let failure =
        failure.with(ErrorDetails { required_plan: required, plan: Some(actual), ..ErrorDetails::default() });
    let limits = UsageTracker::status(identity, now);
    Err(Refusal::to_principal(failure, Principal { identity: Arc::clone(identity), limits }))
}

/// Refuses another file where the month's bytes are used up. A file on its way is not cut off, so that an account can be
/// sent more than its limit by the files that it reads at a time.
fn check_download(identity: &Arc<ApiKeyIdentity>, now: DateTime<Utc>) -> Result<(), Box<Refusal>> {
    let Some(limit) = identity.limits.download_bytes_per_month else { return Ok(()) };
    let limits = UsageTracker::status(identity, now);
    if identity.tracker.downloaded(limits.month.window) < limit {
        return Ok(());
    }
    let seconds = headers::seconds_left(&limits.month, now.timestamp());
    let message =
        format!("Monthly download quota reached: {limit} bytes of table files/month. Retry in {seconds} s");
    let failure = Failure::new(ErrorCode::QuotaExceeded, message);
    let failure = failure.with(ErrorDetails::of_limit(limit, "month"));
    let principal = Some(Principal { identity: Arc::clone(identity), limits });
    Err(Box::new(Refusal { failure, principal, retry_after: Some(seconds) }))
}

fn refuse_admission(
    error: AdmissionError,
    identity: &Arc<ApiKeyIdentity>,
    received_at: DateTime<Utc>,
) -> Box<Refusal> {
    let principal = |limits| Some(Principal { identity: Arc::clone(identity), limits });
    let (code, what, period, window, limits) = match error {
        AdmissionError::RateLimited(limits) => {
            (ErrorCode::RateLimited, "Rate limit", "minute", limits.minute, limits)
        }
        AdmissionError::QuotaExceeded(limits) => {
            (ErrorCode::QuotaExceeded, "Monthly quota", "month", limits.month, limits)
        }
        AdmissionError::Unavailable => {
            let message = "Usage accounting is temporarily unavailable; please retry";
            let failure = Failure::new(ErrorCode::AccountingNotAvailable, message);
            let principal = principal(UsageTracker::status(identity, received_at));
            return Box::new(Refusal { failure, principal, retry_after: Some(1) });
        }
    };
    let (limit, seconds) = (window.limit, headers::seconds_left(&window, received_at.timestamp()));
    let message = format!("{what} reached: {limit} requests/{period}. Retry in {seconds} s");
    let failure = Failure::new(code, message).with(ErrorDetails::of_limit(limit, period));
    Box::new(Refusal { failure, principal: principal(limits), retry_after: Some(seconds) })
}

/// 429 for an address.
fn too_many(what: &str, LimitExceeded { limit, retry_after }: LimitExceeded) -> Refusal {
    let message = format!("Too many {what}: {limit}/minute. Retry in {retry_after} s");
    let failure = Failure::new(ErrorCode::RateLimited, message);
    let failure = failure.with(ErrorDetails::of_limit(limit.into(), "minute"));
    Refusal { failure, principal: None, retry_after: Some(retry_after) }
}
