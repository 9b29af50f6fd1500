//! One canonical host: what it is asked, over which connection, and how it fares.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Method, Request, Response, Uri};

use super::answer::{self, AnswerBody};
use super::line::Line;
use super::pool::Pool;
use super::{BadUpstream, Fault, Patience, State};
use crate::headers;

/// Failures in a row after which a host is left alone until it says that it is well.
const MAX_FAILURES: u32 = 3;

/// One canonical host.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(super) authority: Authority,
    name: HeaderValue,
    pool: Pool,
    pub(super) state: AtomicU8,
    pub(super) failures: AtomicU32,
    in_flight: AtomicUsize,
}

/// What a host is asked, with the headers that the client sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) method: &'a Method,
    pub(crate) target: &'a PathAndQuery,
    pub(crate) headers: &'a HeaderMap,
}

impl Upstream {
    pub(super) fn of(address: &str, patience: &Patience) -> Result<Self, BadUpstream> {
        let bad = || BadUpstream(without_user(address));
        let (uri, authority) = authority(address).ok_or_else(bad)?;
        // The scheme's own port is not named.
        let bare = authority.as_str().strip_suffix(":80").unwrap_or(authority.as_str());
        let name = HeaderValue::from_str(bare).map_err(|_| bad())?;
        let (state, failures, in_flight) = Default::default();
        Ok(Self { authority, name, pool: Pool::of(uri, patience), state, failures, in_flight })
    }

    /// Asks over a line that is kept, or another; waits for the beginning of the answer's body.
    pub(super) async fn ask(
        self: &Arc<Self>,
        question: Question<'_>,
        patience: &Patience,
    ) -> Result<Response<AnswerBody>, Fault> {
        let in_flight = InFlight::of(self);
        let (line, response) = self.asked(question).await?;
        answer::begin(response, Lease { line, in_flight }, patience.silence).await
    }

    async fn asked(&self, question: Question<'_>) -> Result<(Line, Response<Incoming>), Fault> {
        while let Some(mut line) = self.pool.take() {
            match line.ask(self.request(question)).await {
                Ok(response) => return Ok((line, response)),
                // The host hung up before anything was sent.
                Err(error) if error.is_canceled() => {}
                Err(error) => return Err(Fault::Broken(error)),
            }
        }
        let mut line = self.pool.open().await?;
        let response = line.ask(self.request(question)).await.map_err(Fault::Broken)?;
        Ok((line, response))
    }

    fn request(&self, question: Question<'_>) -> Request<Empty<Bytes>> {
        let mut request = Request::new(Empty::new());
        *request.method_mut() = question.method.clone();
        *request.uri_mut() = Uri::from(question.target.clone());
        let mut headers = headers::forwarded(question.headers);
        headers.insert(HOST, self.name.clone());
        *request.headers_mut() = headers;
        request
    }

    /// Closes connections that are not needed.
    pub(super) fn sweep(&self) {
        self.pool.sweep();
    }

    /// Requests that are being answered.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(super) fn answered(&self) {
        self.failures.store(0, Ordering::Relaxed);
    }

    /// A host that cannot be reached is left alone at once, one that fails in another way after a few times.
    pub(super) fn failed(&self, fault: &Fault) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!(host = %self.authority, error = fault as &dyn std::error::Error, "failed");
        if matches!(fault, Fault::Connect(_)) || failures >= MAX_FAILURES {
            self.is_now(State::Down);
        }
    }
}

/// A line while an answer comes over it. It is closed, as it holds the rest of the answer, unless it is given back.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) line: Line,
    in_flight: InFlight,
}

impl Lease {
    /// The answer is whole.
    pub(super) fn give_back(self) {
        self.in_flight.0.pool.give_back(self.line);
    }
}

/// Counts a request until its answer is whole.
#[derive(Debug)]
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

/// Of `http://HOST:PORT` and nothing more: a path or a password would not be sent.
fn authority(address: &str) -> Option<(Uri, Authority)> {
    let uri: Uri = address.parse().ok()?;
    let is_bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?.clone();
    (is_bare && uri.scheme() == Some(&Scheme::HTTP)).then_some((uri, authority))
}

/// An address as it may be printed.
fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => address.to_owned(),
    }
}
