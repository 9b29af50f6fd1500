//! Which hosts are well: each is asked by itself, so that one comes back without a request being lost on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::header::HeaderMap;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, StatusCode};
use tokio::time::Instant;

use super::host::{Question, Upstream};
use super::{Fault, Upstreams};

/// A host that does not answer in this time is not well.
const ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// How a host is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// It serves; so is a host taken before it was looked at.
    Ready,
    /// It answers, and says that it has nothing to serve.
    Unready,
    /// It answers, and does not let the gateway in.
    Refusing,
    /// It does not answer.
    Down,
}

impl State {
    /// As shown to operators.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Unready => "unready",
            Self::Refusing => "refusing",
            Self::Down => "down",
        }
    }
}

impl Upstream {
    pub(crate) fn state(&self) -> State {
        match self.state.load(Ordering::Relaxed) {
            2 => State::Down,
            _ if self.refuses.load(Ordering::Relaxed) => State::Refusing,
            1 => State::Unready,
            _ => State::Ready,
        }
    }

    /// Tells when a host changes.
    pub(super) fn is_now(&self, state: State) {
        let number = match state {
            State::Ready => 0,
            State::Unready | State::Refusing => 1,
            State::Down => 2,
        };
        if self.state.swap(number, Ordering::Relaxed) != number {
            tracing::warn!(host = %self.authority, now = state.name(), "canonical host");
        }
    }
}

impl Upstreams {
    /// Every host and how it is.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&str, State)> {
        self.hosts.iter().map(|host| (host.authority.as_str(), host.state()))
    }

    /// Looks after all hosts for ever.
    pub(crate) async fn look_after(self: Arc<Self>) {
        let mut looking = tokio::task::JoinSet::new();
        for host in &self.hosts {
            let (all, host) = (Arc::clone(&self), Arc::clone(host));
            looking.spawn(async move {
                loop {
                    all.look(&host).await;
                    tokio::time::sleep(all.patience.look).await;
                }
            });
        }
        while looking.join_next().await.is_some() {}
    }

    async fn look(&self, host: &Arc<Upstream>) {
        // Its readiness needs no key: one that refuses the gateway is asked as for a client.
        let refuses = host.refuses.load(Ordering::Relaxed);
        let page = if refuses { "/v1/mma" } else { "/readyz" };
        let (page, none) = (PathAndQuery::from_static(page), HeaderMap::new());
        let (thread, asked) = (self.turns.len(), Instant::now());
        let question = Question {
            method: &Method::GET,
            target: &page,
            headers: &none,
            account: None,
            id: None,
            thread,
            asked,
        };
        match host.ask(&question, asked + ANSWERS_WITHIN, self.patience.silence).await {
            Ok(answer) if answer.refuses_the_gateway() => host.refused(answer.status),
            Ok(answer) => {
                host.answered();
                let is_ready = answer.status == StatusCode::OK;
                host.is_now(if is_ready { State::Ready } else { State::Unready });
            }
            Err(fault) if fault.is_own() => {}
            // Slow, as far as one look can tell; dead after some, unless a request is answered in between.
            Err(fault @ Fault::Late) => host.failed(&fault),
            Err(_) => host.is_now(State::Down),
        }
        host.sweep();
    }
}
