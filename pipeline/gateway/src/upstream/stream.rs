//! Responses without an end, for the gateway itself: streams of events.

use std::time::Duration;

use tokio::time::timeout;

use super::error::UpstreamError;
use super::response::{UpstreamBody, UpstreamResponse};
use super::{UpstreamPool, UpstreamRequest};

impl UpstreamPool {
    /// Sends a request to one upstream, and waits for the head of the response alone. Its body ends with an error when it is
    /// silent for longer than this. `None` when no upstream responds.
    pub(crate) async fn open_stream(
        &self,
        request: UpstreamRequest<'_>,
        max_silence: Duration,
    ) -> Option<UpstreamResponse> {
        let upstream = self.choose_upstream(None)?;
        let in_flight = upstream.start_request();
        let sending = self.client.request(upstream.build_request(request));
        let error = match timeout(self.timeouts.response, sending).await {
            Ok(Ok(response)) if !matches!(response.status().as_u16(), 101 | 401 | 403 | 407) => {
                upstream.record_acceptance();
                let (head, body) = response.into_parts();
                let body = UpstreamBody::of_stream(body, in_flight, max_silence);
                return Some(UpstreamResponse { status: head.status, headers: head.headers, body });
            }
            Ok(Ok(response)) => {
                upstream.record_rejection(response.status());
                return None;
            }
            Ok(Err(error)) => UpstreamError::from(error),
            Err(_) => UpstreamError::Timeout,
        };
        if !matches!(error, UpstreamError::Timeout) && !error.is_out_of_files() {
            upstream.record_failure(&error);
        }
        None
    }
}
