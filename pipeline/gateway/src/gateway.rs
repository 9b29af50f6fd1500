//! A request's way: form, key, plan, rate, quota, canonical host.

use std::sync::Arc;
use std::time::Instant;

use axum_core::body::Body;
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure};
use fdna_http::{Peer, failure, guard, request_id, without_body};
use hyper::body::Incoming;
use hyper::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::HeaderValue;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request, Response};
use serde_json::json;
use uuid::Uuid;

use crate::books::Books;
use crate::counter::Standing;
use crate::credential;
use crate::directory::Holder;
use crate::entitlement::{Asked, Entitlement};
use crate::headers;
use crate::meter::{Meter, Refused, Taken};
use crate::metrics::Metrics;
use crate::operator;
use crate::refusals::Refusals;
use crate::reply::Reply;
use crate::upstream::{Answer, Question, Upstreams};

/// What requests are answered with.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) books: Books,
    pub(crate) upstreams: Arc<Upstreams>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) entitlement: Entitlement,
    pub(crate) refusals: Refusals,
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
        let at = self.books.now();
        let visit = Visit { request, asked: self.asked(request), came, at, thread };
        let passed = self.pass(&visit).await.map_err(|refusal| self.held_back(refusal, &visit));
        let took = came.elapsed();
        // To the second: mostly the time at which it was asked.
        let now = if took.as_secs() == 0 { at } else { self.books.now() }.timestamp();
        let (known, mut response) = match passed {
            Ok(((holder, standing), answer)) => {
                let own = headers::of_key(holder.plan, &standing, now, id);
                (Some((holder, standing)), answer.beneath(own).map(Reply::Passed))
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
        let message = "too many requests of this address were refused in this minute";
        let failure = Failure::new(ErrorCode::RateLimited, message);
        let failure = failure.with(json!({"limit": many.limit, "per": "minute"}));
        Box::new(Refusal { failure, known: refusal.known, retry_after: Some(many.retry_after) })
    }

    fn asked(&self, request: &Request<Incoming>) -> Option<Asked> {
        self.entitlement.asked(request.uri().path(), request.uri().query())
    }

    /// The order of refusals is that of the contract.
    async fn pass(&self, visit: &Visit<'_>) -> Result<(Known, Answer), Box<Refusal>> {
        let request = visit.request;
        guard::check(request)?;
        credential::check_address(request.uri().path(), request.uri().query())?;
        let holder = credential::holder(request.headers(), &self.books.directory(), visit.at)?;
        if let Some(asked) = visit.asked {
            entitle(asked, &holder, visit.at)?;
        }
        let taken = Meter::take(&holder, visit.operation(), visit.at, &self.books).await;
        let taken = taken.map_err(|refused| not_taken(refused, &holder, visit.at))?;
        match self.ask(visit, &holder.account, &taken).await {
            Ok(answer) => {
                let standing = self.standing(&taken, !answer.status.is_server_error());
                Ok(((holder, standing), answer))
            }
            Err(failure) => {
                let standing = self.standing(&taken, failure.code.status() < 500);
                Err(Box::new(Refusal { failure, known: Some((holder, standing)), retry_after: None }))
            }
        }
    }

    /// Asks a canonical host what is its to answer.
    async fn ask(&self, visit: &Visit<'_>, account: &str, taken: &Taken<'_>) -> Result<Answer, Failure> {
        let request = visit.request;
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
            return Err(Failure::new(ErrorCode::MethodNotAllowed, "the interface is read-only"));
        }
        // Outside the contract a canonical host has pages for its operator: they are not the client's.
        let target = visit.asked.and_then(|_| request.uri().path_and_query());
        let target: &PathAndQuery =
            target.ok_or_else(|| Failure::new(ErrorCode::NotFound, "no such route"))?;
        // What it waited for before is no fault of a host.
        let asked = if taken.has_waited { Instant::now() } else { visit.came };
        let question = Question {
            method: request.method(),
            target,
            headers: request.headers(),
            account: Some(account),
            thread: visit.thread,
            asked: asked.into(),
        };
        let answer = self.upstreams.ask(&question).await;
        answer.ok_or_else(|| {
            Failure::new(ErrorCode::UpstreamUnavailable, "no canonical host answered: try again")
        })
    }

    /// What stands after an answer, which counts or not.
    fn standing(&self, taken: &Taken<'_>, counts: bool) -> Standing {
        if counts { taken.standing } else { taken.give_back(self.books.now()) }
    }
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
        let limit = gauge.limit;
        let message = format!("the {limit} requests of this {what} are used up");
        let retry_after = Some(headers::seconds_left(&gauge, at.timestamp()));
        let known = Some((Arc::clone(holder), standing));
        let failure = Failure::new(code, message).with(json!({"limit": limit, "per": what}));
        Box::new(Refusal { failure, known, retry_after })
    };
    match refused {
        Refused::RateLimited(s) => of_window(ErrorCode::RateLimited, "minute", s.minute, s),
        Refused::QuotaExceeded(s) => of_window(ErrorCode::QuotaExceeded, "month", s.month, s),
        Refused::Unaccounted => {
            let message = "what the account has used cannot be told now: try again";
            let failure = Failure::new(ErrorCode::AccountingNotAvailable, message);
            let known = Some((Arc::clone(holder), Meter::standing(holder, at)));
            Box::new(Refusal { failure, known, retry_after: Some(1) })
        }
    }
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
