//! One canonical host: what it is asked, over which connection, and how it fares.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use crossbeam_utils::CachePadded;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Method, StatusCode, Uri};
use tokio::time::Instant;
use uuid::Uuid;

use super::answer::Answer;
use super::head::Head;
use super::line::Line;
use super::pool::Pool;
use super::stream::{TlsHost, connector};
use super::{BadUpstream, Fault, Hosts, HostsError, Patience, State};
use crate::headers;

/// Failures in a row after which a host is left alone until it says that it is well.
const MAX_FAILURES: u32 = 3;

/// Connections to a host that are kept, at most.
const MAX_KEPT: usize = 512;

/// One canonical host.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(super) authority: Authority,
    /// What it is sent of the gateway's own: its name, and a key where it has one.
    own: Vec<(HeaderName, HeaderValue)>,
    /// One for each of the gateway's threads, and one for looks at its health: a connection is read where it was made.
    pools: Vec<Arc<CachePadded<Pool>>>,
    pub(super) state: AtomicU8,
    pub(super) failures: AtomicU32,
    /// It answers, and does not let the gateway in.
    pub(super) refuses: AtomicBool,
    load: Arc<Load>,
}

/// Requests that a host is answering. Where they are counted, every request of every thread writes here.
pub(super) type Load = CachePadded<AtomicUsize>;

/// What a host is asked, with the headers that the client sent.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) method: &'a Method,
    pub(crate) target: &'a PathAndQuery,
    pub(crate) headers: &'a HeaderMap,
    /// For which account, so that a host can ration by it; of the gateway's own questions none.
    pub(crate) account: Option<&'a str>,
    /// Under which id the client is answered; of the gateway's own questions none.
    pub(crate) id: Option<Uuid>,
    /// Which of the gateway's threads asks.
    pub(crate) thread: usize,
    /// When.
    pub(crate) asked: Instant,
}

/// [`fdna_http::X_GATEWAY_CLIENT`] and [`fdna_http::X_GATEWAY_REQUEST_ID`] as text.
const CLIENT: &str = "x-gateway-client";
const REQUEST_ID: &str = "x-gateway-request-id";

/// Whether a host takes this for the name of a client.
fn is_header_text(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl Question<'_> {
    /// As it is sent to a host, with these headers of the gateway's own.
    pub(super) fn write(&self, own: &[(HeaderName, HeaderValue)], request: &mut Vec<u8>) {
        let line = [self.method.as_str(), " ", self.target.as_str(), " HTTP/1.1\r\n"];
        line.iter().for_each(|part| request.extend_from_slice(part.as_bytes()));
        let own = own.iter().map(|(name, value)| (name, value));
        let fields = headers::forwarded(self.headers).chain(own);
        let fields = fields.map(|(name, value)| (name.as_str(), value.as_bytes()));
        let client = self.account.filter(|account| is_header_text(account));
        let client = client.map(|account| (CLIENT, account.as_bytes()));
        let mut text = Uuid::encode_buffer();
        let id = self.id.map(|id| (REQUEST_ID, id.hyphenated().encode_lower(&mut text).as_bytes()));
        for (name, value) in fields.chain(client).chain(id) {
            let field = [name.as_bytes(), b": ", value, b"\r\n"];
            field.iter().for_each(|part| request.extend_from_slice(part));
        }
        request.extend_from_slice(b"\r\n");
    }
}

impl Upstream {
    /// Asked by so many threads, alone or as one of several.
    pub(super) fn of(
        address: &str,
        hosts: &Hosts<'_>,
        patience: &Patience,
        threads: usize,
    ) -> Result<Self, HostsError> {
        let bad = || BadUpstream(without_user(address));
        let (uri, authority) = authority(address).ok_or_else(bad)?;
        // The scheme's own port is not named.
        let is_tls = uri.scheme() == Some(&Scheme::HTTPS);
        let port = if is_tls { ":443" } else { ":80" };
        let bare = authority.as_str().strip_suffix(port).unwrap_or(authority.as_str());
        let mut own = vec![(HOST, HeaderValue::from_str(bare).map_err(|_| bad())?)];
        own.extend(hosts.key.map(|key| (AUTHORIZATION, key.clone())));
        let name = authority.host().trim_matches(['[', ']']).to_owned();
        let tls = is_tls.then(|| {
            let name = name.try_into().map_err(|_| bad())?;
            Ok::<_, HostsError>(TlsHost { connector: connector(hosts.ca)?, name })
        });
        let tls = tls.transpose()?;
        let (state, failures, refuses) = Default::default();
        let load: Arc<Load> = Arc::default();
        // Where there is no other to be asked, nobody needs to know.
        let counted = || (hosts.addresses.len() > 1).then(|| Arc::clone(&load));
        let pool = || Pool::of(uri.clone(), tls.clone(), patience, MAX_KEPT / threads, counted());
        let pools = (0..threads).map(|_| Arc::new(CachePadded::new(pool()))).collect();
        Ok(Self { authority, own, pools, state, failures, refuses, load })
    }

    /// Asks over a line that is kept, or another; waits for the beginning of the answer's body.
    pub(super) async fn ask(
        &self,
        question: &Question<'_>,
        deadline: Instant,
        silence: Duration,
    ) -> Result<Answer, Fault> {
        let in_flight = InFlight::of(&self.pools[question.thread]);
        let (line, head, begun) = self.asked(&in_flight.0, question, deadline).await?;
        Ok(Answer::begun(head, begun, Lease { line, in_flight }, silence))
    }

    async fn asked(
        &self,
        pool: &Pool,
        question: &Question<'_>,
        deadline: Instant,
    ) -> Result<(Box<Line>, Head, Bytes), Fault> {
        while let Some(mut line) = pool.take(question.asked) {
            match line.ask(question, &self.own, deadline).await {
                Ok((head, begun)) => return Ok((line, head, begun)),
                // The host hung up before.
                Err(Fault::Unsent(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        // Seldom, and large: kept out of what every request carries.
        Box::pin(async {
            let opening = tokio::time::timeout_at(deadline, pool.open(question.asked));
            let mut line = opening.await.map_err(|_| Fault::Late)??;
            let (head, begun) = line.ask(question, &self.own, deadline).await?;
            Ok((line, head, begun))
        })
        .await
    }

    /// Closes connections that are not needed.
    pub(super) fn sweep(&self) {
        self.pools.iter().for_each(|pool| pool.sweep(Instant::now()));
    }

    /// Requests that are being answered, if there are other hosts.
    pub(super) fn in_flight(&self) -> usize {
        self.load.load(Ordering::Relaxed)
    }

    pub(super) fn answered(&self) {
        // Mostly there is nothing to forget, and nothing is written where all threads look.
        if self.failures.load(Ordering::Relaxed) > 0 {
            self.failures.store(0, Ordering::Relaxed);
        }
        if self.refuses.load(Ordering::Relaxed) {
            self.refuses.store(false, Ordering::Relaxed);
            tracing::warn!(host = %self.authority, "canonical host lets the gateway in again");
        }
    }

    /// Told once, until it lets the gateway in again.
    pub(super) fn refused(&self, status: StatusCode) {
        if !self.refuses.swap(true, Ordering::Relaxed) {
            let status = status.as_u16();
            tracing::error!(
                host = %self.authority,
                status,
                "canonical host refuses the gateway: clients are answered 502 (see --upstream-key-file)"
            );
        }
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
    pub(super) line: Box<Line>,
    in_flight: InFlight,
}

impl Lease {
    /// Itself while something of the answer is still to come; else the line is free for another.
    pub(super) fn unless_over(self) -> Option<Self> {
        if !self.line.wire.is_over() {
            return Some(self);
        }
        self.in_flight.0.give_back(self.line);
        None
    }
}

/// Counts a request until its answer is whole.
#[derive(Debug)]
struct InFlight(Arc<CachePadded<Pool>>);

impl InFlight {
    fn of(pool: &Arc<CachePadded<Pool>>) -> Self {
        if let Some(load) = &pool.load {
            load.fetch_add(1, Ordering::Relaxed);
        }
        Self(Arc::clone(pool))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(load) = &self.0.load {
            load.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Of `http://HOST:PORT`, or https, and nothing more: a path or a password would not be sent.
fn authority(address: &str) -> Option<(Uri, Authority)> {
    let uri: Uri = address.parse().ok()?;
    let is_bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?.clone();
    let is_http = [Scheme::HTTP, Scheme::HTTPS].iter().any(|scheme| uri.scheme() == Some(scheme));
    (is_bare && is_http).then_some((uri, authority))
}

/// An address as it may be printed.
fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => address.to_owned(),
    }
}
