//! The stream of changes of a canonical host, as server-sent events.

use std::pin::Pin;

use futures_util::StreamExt as _;
use hyper::header::{ACCEPT, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use hyper::http::uri::PathAndQuery;
use hyper::{Method, StatusCode};
use sse_stream::SseStream;

use crate::key::KeyProduct;
use crate::upstream::{UpstreamBody, UpstreamPool, UpstreamRequest};

const MMA_STREAM: &str = "/v1/mma/changes/stream";
const CATALOG_STREAM: &str = "/changes/stream";

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Why a stream cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum StreamError {
    #[error("no canonical host answers")]
    NoHost,
    #[error("the canonical host does not know the position")]
    PositionRefused,
    #[error("cannot open the stream of changes: the canonical host answers {0}")]
    Status(StatusCode),
    #[error("the stream of changes broke off")]
    Broken(#[source] sse_stream::Error),
    #[error("the stream of changes ended")]
    Ended,
    #[error("an event of the stream cannot be read")]
    Unreadable,
}

/// An event of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamEvent {
    /// `change` or `reset`, to be delivered.
    Message { event: &'static str, id: String, data: String },
    /// All changes of a publication were sent.
    Snapshot { id: String },
    /// No event of ours.
    Other,
}

/// What is read, and from where.
#[derive(Debug, Clone)]
pub(super) struct StreamSource<'a> {
    pub(super) product: KeyProduct,
    pub(super) sport: Option<&'a str>,
    /// A name of the endpoint, by which a canonical host counts streams: none keeps another from its own.
    pub(super) client: &'a str,
    pub(super) last_event_id: Option<&'a str>,
}

/// A stream that is open.
pub(super) struct ChangeStream(Pin<Box<SseStream<UpstreamBody>>>);

impl ChangeStream {
    pub(super) async fn open(
        upstreams: &UpstreamPool,
        source: &StreamSource<'_>,
    ) -> Result<Self, StreamError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(id) = source.last_event_id {
            headers
                .insert(LAST_EVENT_ID, HeaderValue::from_str(id).map_err(|_| StreamError::PositionRefused)?);
        }
        let target = source.target();
        let request = UpstreamRequest {
            method: &Method::GET,
            target: &target,
            headers: &headers,
            account: Some(source.client),
            request_id: None,
        };
        let response = upstreams.send_request(request).await.ok_or(StreamError::NoHost)?;
        match response.status {
            StatusCode::OK => Ok(Self(Box::pin(SseStream::new(response.body)))),
            StatusCode::BAD_REQUEST if source.last_event_id.is_some() => Err(StreamError::PositionRefused),
            status => Err(StreamError::Status(status)),
        }
    }

    pub(super) async fn next_event(&mut self) -> Result<StreamEvent, StreamError> {
        let event = self.0.next().await.ok_or(StreamError::Ended)?.map_err(StreamError::Broken)?;
        let event_name = match event.event.as_deref() {
            Some("change") => "change",
            Some("reset") => "reset",
            Some("snapshot") => "snapshot",
            _ => return Ok(StreamEvent::Other),
        };
        let id = event.id.filter(|id| super::endpoint::is_event_id(id)).ok_or(StreamError::Unreadable)?;
        Ok(match event_name {
            "snapshot" => StreamEvent::Snapshot { id },
            event_name => {
                let data = event.data.ok_or(StreamError::Unreadable)?;
                StreamEvent::Message { event: event_name, id, data }
            }
        })
    }
}

impl StreamSource<'_> {
    fn target(&self) -> PathAndQuery {
        let path = match self.product {
            KeyProduct::Catalog => {
                let mut query = form_urlencoded::Serializer::new(String::new());
                query.append_pair("sport", self.sport.unwrap_or_default());
                format!("{CATALOG_STREAM}?{}", query.finish())
            }
            KeyProduct::Mma | KeyProduct::Leads => MMA_STREAM.to_owned(),
        };
        // Paths are constant, and queries are encoded.
        PathAndQuery::try_from(path).unwrap_or_else(|_| PathAndQuery::from_static(MMA_STREAM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sport_is_a_parameter_and_nothing_more() {
        let target = |product, sport| {
            StreamSource { product, sport, client: "a", last_event_id: None }.target().to_string()
        };
        assert_eq!(target(KeyProduct::Mma, None), "/v1/mma/changes/stream");
        assert_eq!(target(KeyProduct::Catalog, Some("nhl")), "/changes/stream?sport=nhl");
        assert_eq!(target(KeyProduct::Catalog, Some("a&b=c d")), "/changes/stream?sport=a%26b%3Dc+d");
    }
}
