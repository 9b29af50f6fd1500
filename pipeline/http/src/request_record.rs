//! The record of one request and its response, for metrics and the access log.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::header::{HeaderValue, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode, Uri, Version};

use crate::envelope::X_REQUEST_ID;

/// Operation that a server answered: an extension of the response, its place in the server's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationSlot(pub usize);

/// Caller of the request: an extension of the response, in an [`Arc`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedCaller {
    pub account: String,
    pub plan: &'static str,
    /// The number of the key, never the key.
    pub key_id: i64,
}

/// A request that is over.
#[derive(Debug)]
pub struct RequestRecord {
    pub peer: SocketAddr,
    pub version: Version,
    pub method: Method,
    pub uri: Uri,
    pub user_agent: Option<HeaderValue>,
    /// `None` if the client left before there was an answer.
    pub status: Option<StatusCode>,
    pub request_id: Option<HeaderValue>,
    pub slot: Option<OperationSlot>,
    /// `None` where the server does not know.
    pub caller: Option<Arc<AuthenticatedCaller>>,
    /// Of the body, as it was sent: compressed where it was.
    pub bytes: u64,
    /// Whether the whole body was handed over; else the client left before.
    pub is_whole: bool,
    /// From the request's head to the last byte handed over. A client that reads slowly makes it longer.
    pub elapsed: Duration,
}

/// Told of every request that is over. It is called on the way: it must not wait for anything.
pub trait CompletionObserver: Send + Sync + 'static {
    fn on_complete(&self, record: &RequestRecord);
}

/// The record of a request that goes on, where somebody observes requests; dropped, it is complete and handed over.
pub(crate) struct RequestGuard(Option<Box<ObservedRequest>>);

struct ObservedRequest {
    observer: Arc<dyn CompletionObserver>,
    record: RequestRecord,
    begun: Instant,
}

impl RequestGuard {
    pub(crate) fn begin_request<B>(
        request: &Request<B>,
        peer: SocketAddr,
        observer: Option<&Arc<dyn CompletionObserver>>,
    ) -> Self {
        Self(observer.map(|observer| {
            let record = RequestRecord {
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
            Box::new(ObservedRequest { observer: Arc::clone(observer), record, begun: Instant::now() })
        }))
    }

    pub(crate) fn record_answer<B>(&mut self, response: &Response<B>) {
        if let Some(ObservedRequest { record, .. }) = self.0.as_deref_mut() {
            record.status = Some(response.status());
            record.request_id = response.headers().get(X_REQUEST_ID).cloned();
            record.slot = response.extensions().get::<OperationSlot>().copied();
            record.caller = response.extensions().get::<Arc<AuthenticatedCaller>>().cloned();
        }
    }

    pub(crate) fn record_sent(&mut self, bytes: usize) {
        if let Some(observed) = &mut self.0 {
            observed.record.bytes += bytes as u64;
        }
    }

    pub(crate) fn mark_complete(&mut self) {
        if let Some(observed) = &mut self.0 {
            observed.record.is_whole = true;
        }
    }
}

impl Drop for ObservedRequest {
    fn drop(&mut self) {
        self.record.elapsed = self.begun.elapsed();
        self.observer.on_complete(&self.record);
    }
}
