//! A request's way: form, key, plan, rate, quota, canonical host.

use std::sync::Arc;
use std::time::Instant;

use axum_core::body::Body;
use chrono::{DateTime, Utc};
use fdna_api::{ACCOUNT_USAGE, ErrorCode, Failure};
use fdna_http::{Cors, Peer, failure, guard, request_id, without_body};
use hyper::body::Incoming;
use hyper::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::HeaderValue;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use uuid::Uuid;

use crate::account;
use crate::books::Books;
use crate::counter::Standing;
use crate::credential;
use crate::directory::Holder;
use crate::entitlement::{Asked, Entitlement};
use crate::headers;
use crate::meter::{Meter, Refused, Taken};
use crate::metrics::Metrics;
use crate::operator;
use crate::refusals::{Refusals, TooMany};
use crate::reply::Reply;
use crate::upstream::{Answer, Question, Upstreams};

const NO_ROUTE: &str = "No such route. GET /v1/mma lists every route; documentation: /docs";

/// What requests are answered with.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) books: Books,
    pub(crate) upstreams: Arc<Upstreams>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) entitlement: Entitlement,
    pub(crate) refusals: Refusals,
    /// Pages that addresses have read without a key.
    pub(crate) pages: Refusals,
    /// Pages of other origins that may ask.
    pub(crate) cors: Arc<Cors>,
    /// Whether anybody writes down whose requests they were.
    pub(crate) is_logged: bool,
}

/// A request on its way.
struct Visit<'a> {
    request: &'a Request<Incoming>,
    asked: Option<Asked>,
    /// When, by the timer and by the clock, and to which of the gateway's threads it came.
    came: Instant,
    at: DateTime<Utc>,
    thread: usize,
}

impl Visit<'_> {
    /// The name of the operation that is asked for.
    fn operation(&self) -> &'static str {
        self.asked.and_then(|asked| asked.operation).map_or("none", |operation| operation.name)
    }
}

/// Who asks with a valid key, and what stands for them.
type Known = (Arc<Holder>, Standing);

/// What a request that was let through is answered with.
enum Passed {
    /// A canonical host's answer; pages are anyone's.
    Answer(Option<Known>, Answer),
    /// The gateway's own, in the envelope.
    Own(Known, Response<Body>),
}

/// A refusal, and to whom.
struct Refusal {
    failure: Failure,
    known: Option<Known>,
    /// Seconds.
    retry_after: Option<i64>,
}

impl From<Failure> for Box<Refusal> {
    fn from(failure: Failure) -> Self {
        Self::new(Refusal { failure, known: None, retry_after: None })
    }
}

impl Gateway {
    /// Answers a request that came to this thread.
    pub(crate) async fn answer(&self, request: &Request<Incoming>, thread: usize) -> Response<Reply> {
        let (came, id) = (Instant::now(), request_id());
        if let Some(health) = operator::public(self, request) {
            return without_body(request.method(), health).map(Reply::Own);
        }
        if let Some(preflight) = self.cors.preflight(request) {
            return preflight.map(Reply::Own);
        }
        let at = self.books.now();
        let visit = Visit { request, asked: self.asked(request), came, at, thread };
        let passed = self.pass(&visit, id).await.map_err(|refusal| self.held_back(refusal, &visit));
        let took = came.elapsed();
        // To the second: mostly the time at which it was asked.
        let now = if took.as_secs() == 0 { at } else { self.books.now() }.timestamp();
        let (known, mut response) = match passed {
            Ok(Passed::Answer(known, answer)) => {
                let own = match &known {
                    Some((holder, standing)) => headers::of_key(holder.plan, standing, now, id),
                    None => headers::of_anyone(id),
                };
                (known, answer.beneath(own).map(Reply::Passed))
            }
            Ok(Passed::Own((holder, standing), mut response)) => {
                response.headers_mut().extend(headers::of_key(holder.plan, &standing, now, id));
                (Some((holder, standing)), without_body(request.method(), response).map(Reply::Own))
            }
            Err(refusal) => {
                let response = without_body(request.method(), refuse(&refusal, now, id));
                (refusal.known, response.map(Reply::Own))
            }
        };
        let status = response.status().as_u16();
        let holder = known.as_ref().map(|(holder, _)| holder);
        let plan = holder.map(|holder| holder.plan);
        self.metrics.answered(thread, plan, status, took);
        let (account, key) = holder.map_or(("none", "none"), |holder| (&holder.account, &holder.shown));
        tracing::debug!(%id, status, account, key, operation = visit.operation(), ?took, "answered");
        if let Some(holder) = holder.filter(|_| self.is_logged) {
            response.extensions_mut().insert(Arc::clone(&holder.caller));
        }
        response
    }

    /// A refusal, or 429 in its place where the address has collected too many.
    fn held_back(&self, refusal: Box<Refusal>, visit: &Visit<'_>) -> Box<Refusal> {
        if !matches!(refusal.failure.code, ErrorCode::Unauthorized | ErrorCode::PlanRequired) {
            return refusal;
        }
        let peer = visit.request.extensions().get::<Peer>();
        let Some(many) = peer.and_then(|peer| self.refusals.count(peer.0.ip(), visit.at)) else {
            return refusal;
        };
        self.metrics.throttled.up();
        let what = "refused requests of this address";
        Box::new(Refusal { known: refusal.known, ..too_many(what, many) })
    }

    fn asked(&self, request: &Request<Incoming>) -> Option<Asked> {
        self.entitlement.asked(request.uri().path(), request.uri().query())
    }

    /// The order of refusals is that of the contract.
    async fn pass(&self, visit: &Visit<'_>, id: Uuid) -> Result<Passed, Box<Refusal>> {
        let request = visit.request;
        guard::check(request)?;
        credential::check_address(request.uri().path(), request.uri().query())?;
        if is_page(request.uri().path()) {
            return self.page(visit, id).await;
        }
        let holder = credential::holder(request.headers(), &self.books.directory(), visit.at)?;
        if let Some(asked) = visit.asked {
            entitle(asked, &holder, visit.at)?;
        }
        let taken = Meter::take(&holder, visit.operation(), visit.at, &self.books).await;
        if request.uri().path() == ACCOUNT_USAGE {
            return self.usage(taken, &holder, visit, id);
        }
        let taken = taken.map_err(|refused| not_taken(refused, &holder, visit.at))?;
        // What it waited for before is no fault of a host.
        let asked = if taken.has_waited { Instant::now() } else { visit.came };
        match self.ask(visit, Some(&holder.account), id, asked).await {
            Ok(answer) => {
                // The client has what it asked for: that costs nothing of its month.
                let is_free = answer.status.is_server_error() || answer.status == StatusCode::NOT_MODIFIED;
                let standing = self.standing(&taken, !is_free);
                Ok(Passed::Answer(Some((holder, standing)), answer))
            }
            Err(failure) => {
                let standing = self.standing(&taken, failure.code.status() < 500);
                Err(Box::new(Refusal { failure, known: Some((holder, standing)), retry_after: None }))
            }
        }
    }

    /// What the account has used, which costs nothing of its month and is told when that is used up, too.
    fn usage(
        &self,
        taken: Result<Taken<'_>, Refused>,
        holder: &Arc<Holder>,
        visit: &Visit<'_>,
        id: Uuid,
    ) -> Result<Passed, Box<Refusal>> {
        let standing = match taken {
            Ok(taken) => taken.give_back(self.books.now()),
            Err(Refused::QuotaExceeded(standing)) => standing,
            Err(refused) => return Err(not_taken(refused, holder, visit.at)),
        };
        let asked = (visit.request.method(), visit.request.uri().query());
        let known = (Arc::clone(holder), standing);
        match account::usage(&standing, holder, asked, id) {
            Ok(response) => Ok(Passed::Own(known, response)),
            Err(failure) => Err(Box::new(Refusal { failure, known: Some(known), retry_after: None })),
        }
    }

    /// The documentation, which anyone may read, and a number of times in a minute.
    async fn page(&self, visit: &Visit<'_>, id: Uuid) -> Result<Passed, Box<Refusal>> {
        let peer = visit.request.extensions().get::<Peer>();
        if let Some(many) = peer.and_then(|peer| self.pages.count(peer.0.ip(), visit.at)) {
            return Err(Box::new(too_many("pages without a key for this address", many)));
        }
        Ok(Passed::Answer(None, self.ask(visit, None, id, visit.came).await?))
    }

    /// Asks a canonical host what is its to answer.
    async fn ask(
        &self,
        visit: &Visit<'_>,
        account: Option<&str>,
        id: Uuid,
        asked: Instant,
    ) -> Result<Answer, Failure> {
        let request = visit.request;
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
            return Err(Failure::new(ErrorCode::MethodNotAllowed, "This interface is read-only: use GET"));
        }
        // Outside the contract a canonical host has pages for its operator: they are not the client's.
        let is_open = visit.asked.is_some() || account.is_none();
        let target = request.uri().path_and_query().filter(|_| is_open);
        let target: &PathAndQuery = target.ok_or_else(|| Failure::new(ErrorCode::NotFound, NO_ROUTE))?;
        let question = Question {
            method: request.method(),
            target,
            headers: request.headers(),
            account,
            id: Some(id),
            thread: visit.thread,
            asked: asked.into(),
        };
        let answer = self.upstreams.ask(&question).await;
        answer.ok_or_else(|| {
            Failure::new(ErrorCode::UpstreamUnavailable, "Service temporarily unavailable; please retry")
        })
    }

    /// What stands after an answer, which counts or not.
    fn standing(&self, taken: &Taken<'_>, counts: bool) -> Standing {
        if counts { taken.standing } else { taken.give_back(self.books.now()) }
    }
}

/// What the canonical host shows everyone, and the gateway too: the documentation, and the way to it.
fn is_page(path: &str) -> bool {
    matches!(path, "/" | "/docs" | "/openapi.json") || path.starts_with("/docs/")
}

fn entitle(asked: Asked, holder: &Arc<Holder>, now: DateTime<Utc>) -> Result<(), Box<Refusal>> {
    if asked.plan <= holder.plan {
        return Ok(());
    }
    let (needed, has) = (asked.plan.name(), holder.plan.name());
    let what = match asked.operation {
        Some(operation) if operation.plan <= holder.plan => "include=stats",
        Some(operation) => operation.name,
        None => "this",
    };
    let message = format!("{what} needs the plan {needed}; the plan of this key is {has}");
    let failure = Failure::new(ErrorCode::PlanRequired, message);
    let failure = failure.with(json!({"required_plan": needed, "plan": has}));
    let standing = Meter::standing(holder, now);
    let known = Some((Arc::clone(holder), standing));
    Err(Box::new(Refusal { failure, known, retry_after: None }))
}

fn not_taken(refused: Refused, holder: &Arc<Holder>, at: DateTime<Utc>) -> Box<Refusal> {
    let of_window = |code, what: &str, gauge: crate::counter::Gauge, standing| {
        let (limit, left) = (gauge.limit, headers::seconds_left(&gauge, at.timestamp()));
        let reached = if what == "minute" { "Rate limit" } else { "Monthly quota" };
        let message = format!("{reached} reached: {limit} requests/{what}. Retry in {left} s");
        let retry_after = Some(left);
        let known = Some((Arc::clone(holder), standing));
        let failure = Failure::new(code, message).with(json!({"limit": limit, "per": what}));
        Box::new(Refusal { failure, known, retry_after })
    };
    match refused {
        Refused::RateLimited(s) => of_window(ErrorCode::RateLimited, "minute", s.minute, s),
        Refused::QuotaExceeded(s) => of_window(ErrorCode::QuotaExceeded, "month", s.month, s),
        Refused::Unaccounted => {
            let message = "Usage accounting is temporarily unavailable; please retry";
            let failure = Failure::new(ErrorCode::AccountingNotAvailable, message);
            let known = Some((Arc::clone(holder), Meter::standing(holder, at)));
            Box::new(Refusal { failure, known, retry_after: Some(1) })
        }
    }
}

/// 429 for an address.
fn too_many(what: &str, many: TooMany) -> Refusal {
    let TooMany { limit, retry_after } = many;
    let message = format!("Too many {what}: {limit}/minute. Retry in {retry_after} s");
    let failure = Failure::new(ErrorCode::RateLimited, message);
    let failure = failure.with(json!({"limit": limit, "per": "minute"}));
    Refusal { failure, known: None, retry_after: Some(retry_after) }
}

fn refuse(refusal: &Refusal, now: i64, id: Uuid) -> Response<Body> {
    let mut response = failure(&refusal.failure, id);
    let headers = response.headers_mut();
    match &refusal.known {
        Some((holder, standing)) => headers.extend(headers::of_key(holder.plan, standing, now, id)),
        None => headers::sign(headers),
    }
    if let Some(seconds) = refusal.retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if refusal.failure.code == ErrorCode::Unauthorized {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"fightdna\""));
    }
    response
}
