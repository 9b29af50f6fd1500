//! The canonical hosts: which are well, which one is asked, and what becomes of a request when one is not.
//!
//! ```text
//! host      one of them, and what it is asked    health   whether it is well
//! pool      its connections that wait            answer   what comes back, as it comes
//! line      a connection and its clock     wire     the bytes on it
//! stream    encrypted or not
//! head, framing   how an answer begins, and where it ends
//! ```

mod answer;
mod framing;
mod head;
mod health;
mod host;
mod line;
mod pool;
mod stream;
mod wire;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_utils::CachePadded;
use fdna_http::timeouts::HOST_ANSWER_TIMEOUT;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use tokio::time::Instant;

use crate::metrics::Metrics;
use crate::retry::RetryBudget;

pub(crate) use answer::{Answer, AnswerBody, BodyError};
pub(crate) use health::State;
pub(crate) use host::{Question, Upstream};
pub use stream::UpstreamTlsError;
use wire::WireError;

/// Times for a canonical host.
#[derive(Debug, Clone)]
pub struct Patience {
    pub connect: Duration,
    /// For the handshake of TLS.
    pub handshake: Duration,
    /// Until the head and the beginning of the body are there, of each host that is asked: longer than a host waits
    /// for what it loads, so that it says itself that it is not ready. A second host has as long again.
    pub answer: Duration,
    /// Between two pieces of a long body.
    pub silence: Duration,
    /// Between two looks at whether a host is well.
    pub look: Duration,
    /// Until a connection that nobody needs is closed: before the canonical host closes it, after a minute.
    pub kept: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_millis(250),
            handshake: Duration::from_secs(2),
            answer: HOST_ANSWER_TIMEOUT,
            silence: Duration::from_secs(5),
            look: Duration::from_millis(500),
            kept: Duration::from_secs(30),
        }
    }
}

/// An address that is no canonical host's.
#[derive(Debug, thiserror::Error)]
#[error("use the upstream `{0}`: it must be http://HOST:PORT or https://HOST:PORT")]
pub struct BadUpstream(String);

/// Where canonical hosts are, and how they are spoken with.
#[derive(Debug)]
pub(crate) struct Hosts<'a> {
    pub(crate) addresses: &'a [String],
    /// PEM file of the authorities that they are trusted by; without, the system's.
    pub(crate) ca: Option<&'a Path>,
    /// Sent as `Authorization`.
    pub(crate) key: Option<&'a HeaderValue>,
}

/// Why canonical hosts cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HostsError {
    #[error(transparent)]
    Address(#[from] BadUpstream),
    #[error(transparent)]
    Tls(#[from] UpstreamTlsError),
}

/// All canonical hosts.
#[derive(Debug)]
pub(crate) struct Upstreams {
    hosts: Vec<Arc<Upstream>>,
    patience: Patience,
    budget: CachePadded<RetryBudget>,
    /// The host whose turn it is, of those that are as well off as others: one for each of the gateway's threads that
    /// ask. Looks at health come from one more.
    turns: Vec<CachePadded<AtomicUsize>>,
    metrics: Arc<Metrics>,
}

/// Why a host gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("connect to it")]
    Connect(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("send it anything")]
    Unsent(#[source] std::io::Error),
    #[error("get an answer from it")]
    Broken(#[source] WireError),
    #[error("get the whole body from it")]
    Cut(#[source] WireError),
    #[error("get an answer from it in time")]
    Late,
    #[error("get an HTTP answer from it: it switched protocols")]
    Switched,
    #[error("be let in by it: it answers {0} to the gateway")]
    Refused(StatusCode),
}

impl Upstreams {
    pub(crate) fn of(
        hosts: &Hosts<'_>,
        patience: Patience,
        threads: usize,
        metrics: Arc<Metrics>,
    ) -> Result<Self, HostsError> {
        let of = |address: &String| Upstream::of(address, hosts, &patience, threads + 1).map(Arc::new);
        let hosts: Result<Vec<_>, _> = hosts.addresses.iter().map(of).collect();
        // They do not all begin with the same host.
        let turns = (0..threads).map(|place| CachePadded::new(AtomicUsize::new(place))).collect();
        Ok(Self { hosts: hosts?, patience, budget: CachePadded::default(), turns, metrics })
    }

    /// Asks a host, and if it fails another one, or the same where a kept connection may just have ended. `None` when
    /// no host answers.
    pub(crate) async fn ask(&self, question: &Question<'_>) -> Option<Answer> {
        self.budget.earn();
        let first = self.pick(question.thread, None)?;
        let fault = match self.attempt(first, question, question.asked + self.patience.answer).await {
            Ok(answer) => return Some(answer),
            Err(fault) => fault,
        };
        let other =
            self.pick(question.thread, Some(first)).or_else(|| fault.may_be_stale().then_some(first))?;
        if !self.budget.spend() {
            return None;
        }
        self.metrics.retries.up();
        Box::pin(self.attempt(other, question, Instant::now() + self.patience.answer)).await.ok()
    }

    /// The host with the fewest requests among those that are best off.
    fn pick(&self, thread: usize, but: Option<&Arc<Upstream>>) -> Option<&Arc<Upstream>> {
        let turn = self.turns[thread].fetch_add(1, Ordering::Relaxed);
        let (after, before) = self.hosts.split_at(turn % self.hosts.len().max(1));
        let others = before.iter().chain(after).filter(|host| but.is_none_or(|but| !Arc::ptr_eq(but, host)));
        let up = others.filter(|host| host.state() != State::Down);
        up.min_by_key(|host| (host.state(), host.in_flight()))
    }

    async fn attempt(
        &self,
        host: &Arc<Upstream>,
        question: &Question<'_>,
        deadline: Instant,
    ) -> Result<Answer, Fault> {
        let answer = host.ask(question, deadline, self.patience.silence).await;
        let answer = answer.and_then(|answer| match answer.refuses_the_gateway() {
            true => Err(Fault::Refused(answer.status)),
            false => Ok(answer),
        });
        match &answer {
            Ok(_) => host.answered(),
            Err(fault) => {
                self.metrics.faults.up();
                match fault {
                    // Whether it is slow or dead is told by looks at its health, which are answered at once.
                    Fault::Late => {}
                    Fault::Refused(status) => host.refused(*status),
                    fault if fault.is_own() => {}
                    fault => host.failed(fault),
                }
            }
        }
        answer
    }
}

impl Fault {
    /// Whether the connection broke, rather than could not be made: a kept one may have ended as it was used.
    fn may_be_stale(&self) -> bool {
        matches!(self, Self::Unsent(_) | Self::Broken(_) | Self::Cut(_))
    }

    /// Whether the gateway may not open as many files as it needs, which says nothing of the host.
    fn is_own(&self) -> bool {
        let mut causes = std::iter::successors(std::error::Error::source(self), |cause| cause.source());
        causes.any(|cause| cause.downcast_ref().is_some_and(fdna_http::is_out_of_files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn a_host_is_not_blamed_for_the_files_that_the_gateway_may_not_open() {
        for (code, is_own) in [(23, true), (24, true), (111, false)] {
            let fault = Fault::Connect(Error::from_raw_os_error(code).into());
            assert_eq!(fault.is_own(), is_own, "{code}");
            // As the connector wraps it.
            assert_eq!(Fault::Connect(fault.into()).is_own(), is_own, "{code}");
        }
        assert!(!Fault::Late.is_own());
    }
}
