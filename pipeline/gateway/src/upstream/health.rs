//! Which hosts are well: each is asked by itself, so that one comes back without a request being lost on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::header::HeaderMap;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, StatusCode};
use tokio::time::Instant;

use super::Upstreams;
use super::host::{Question, Upstream};

/// A host that does not answer in this time is not well.
const ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// How a host is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// It serves; so is a host taken before it was looked at.
    Ready,
    /// It answers, and says that it has nothing to serve.
    Unready,
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
            Self::Down => "down",
        }
    }
}

impl Upstream {
    pub(crate) fn state(&self) -> State {
        match self.state.load(Ordering::Relaxed) {
            0 => State::Ready,
            1 => State::Unready,
            _ => State::Down,
        }
    }

    /// Tells when a host changes.
    pub(super) fn is_now(&self, state: State) {
        let number = match state {
            State::Ready => 0,
            State::Unready => 1,
            State::Down => 2,
        };
        let before = self.state();
        self.state.store(number, Ordering::Relaxed);
        if before != state {
            tracing::warn!(host = %self.authority, before = before.name(), now = state.name(), "canonical host");
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
        let (ready, none) = (PathAndQuery::from_static("/readyz"), HeaderMap::new());
        let (thread, asked) = (self.turns.len(), Instant::now());
        let question = Question { method: &Method::GET, target: &ready, headers: &none, thread, asked };
        let state = match host.ask(&question, asked + ANSWERS_WITHIN, self.patience.silence).await {
            Ok(answer) if answer.status == StatusCode::OK => State::Ready,
            Ok(_) => State::Unready,
            Err(_) => State::Down,
        };
        if state != State::Down {
            host.answered();
        }
        host.is_now(state);
        host.sweep();
    }
}
