//! One request and its answer, for those who count and log them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::header::{HeaderValue, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode, Uri, Version};

use crate::envelope::X_REQUEST_ID;

/// Which of its operations a server answered: an extension of the response, its place in the server's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(pub usize);

/// Whose request it was: an extension of the response, in an [`Arc`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub account: String,
    pub plan: &'static str,
    /// The number of the key, never the key.
    pub key_id: i64,
}

/// A request that is over.
#[derive(Debug)]
pub struct Exchange {
    pub peer: SocketAddr,
    pub version: Version,
    pub method: Method,
    pub uri: Uri,
    pub user_agent: Option<HeaderValue>,
    /// `None` if the client left before there was an answer.
    pub status: Option<StatusCode>,
    pub request_id: Option<HeaderValue>,
    pub slot: Option<Slot>,
    /// `None` where the server does not know.
    pub caller: Option<Arc<Caller>>,
    /// Of the body, as it was sent: compressed where it was.
    pub bytes: u64,
    /// That the whole body was handed over; else the client left before.
    pub is_whole: bool,
    /// From the request's head to the last byte handed over. A client that reads slowly makes it longer.
    pub elapsed: Duration,
}

/// Told of every request that is over. It is called on the way: it must not wait for anything.
pub trait Observer: Send + Sync + 'static {
    fn over(&self, exchange: &Exchange);
}

/// An exchange that goes on, if anybody wants to know of it; it is over, and told, when this is gone.
pub(crate) struct Ongoing(Option<Box<Observed>>);

struct Observed {
    observer: Arc<dyn Observer>,
    exchange: Exchange,
    begun: Instant,
}

impl Ongoing {
    pub(crate) fn begin<B>(
        request: &Request<B>,
        peer: SocketAddr,
        observer: Option<&Arc<dyn Observer>>,
    ) -> Self {
        Self(observer.map(|observer| {
            let exchange = Exchange {
                peer,
                version: request.version(),
                method: request.method().clone(),
                uri: request.uri().clone(),
                user_agent: request.headers().get(USER_AGENT).cloned(),
                status: None,
                request_id: None,
                slot: None,
                caller: None,
                bytes: 0,
                is_whole: false,
                elapsed: Duration::ZERO,
            };
            Box::new(Observed { observer: Arc::clone(observer), exchange, begun: Instant::now() })
        }))
    }

    pub(crate) fn answered<B>(&mut self, response: &Response<B>) {
        if let Some(Observed { exchange, .. }) = self.0.as_deref_mut() {
            exchange.status = Some(response.status());
            exchange.request_id = response.headers().get(X_REQUEST_ID).cloned();
            exchange.slot = response.extensions().get::<Slot>().copied();
            exchange.caller = response.extensions().get::<Arc<Caller>>().cloned();
        }
    }

    pub(crate) fn sent(&mut self, bytes: usize) {
        if let Some(observed) = &mut self.0 {
            observed.exchange.bytes += bytes as u64;
        }
    }

    pub(crate) fn whole(&mut self) {
        if let Some(observed) = &mut self.0 {
            observed.exchange.is_whole = true;
        }
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.exchange.elapsed = self.begun.elapsed();
        self.observer.over(&self.exchange);
    }
}
