//! Streams of events on their way to a client.

use axum_core::body::Body;
use futures_util::StreamExt as _;
use http_body_util::{BodyStream, StreamBody};
use tokio::sync::watch;

use crate::upstream::UpstreamBody;

/// The body of a stream, which ends when the gateway stops: its client connects again, to another gateway or the next one.
pub(crate) fn until_stopping(body: UpstreamBody, mut stopping: watch::Receiver<bool>) -> Body {
    let stopped = async move {
        // The sender lives as long as the gateway.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    Body::new(StreamBody::new(BodyStream::new(body).take_until(Box::pin(stopped))))
}
