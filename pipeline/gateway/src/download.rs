//! Files of tables on their way to a client, whose bytes are counted as they leave.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use crate::key_index::ApiKeyIdentity;
use crate::rate_limiter::UsageKey;
use crate::upstream::{UpstreamBody, UpstreamBodyError};
use crate::usage_tracker::UsageTracker;

/// The body of a file. What a client that goes away did not take is not counted.
#[derive(Debug)]
pub(crate) struct CountedBody {
    body: UpstreamBody,
    tracker: Arc<UsageTracker>,
    usage_key: UsageKey,
}

impl CountedBody {
    pub(crate) fn new(body: UpstreamBody, identity: &ApiKeyIdentity, usage_key: UsageKey) -> Self {
        Self { body, tracker: Arc::clone(&identity.tracker), usage_key }
    }
}

impl Body for CountedBody {
    type Data = Bytes;
    type Error = UpstreamBodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, UpstreamBodyError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            let (key, bytes) = (self.usage_key, data.len() as u64);
            self.tracker.with_limiter(|limiter| limiter.add_download(key, bytes));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
