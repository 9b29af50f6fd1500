//! Streams of changes that endpoints are sent: those of a canonical host, as server-sent events, or of whoever else feeds them.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::stream::{Stream, StreamExt as _};
use hyper::header::{ACCEPT, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use hyper::http::uri::PathAndQuery;
use hyper::{Method, StatusCode};
use sse_stream::SseStream;

use crate::key::KeyProduct;
use crate::upstream::{UpstreamPool, UpstreamRequest};

const MMA_STREAM: &str = "/v1/mma/changes/stream";
const CATALOG_STREAM: &str = "/changes/stream";

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Why a stream cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error("nobody answers who has the changes")]
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
pub enum StreamEvent {
    /// To be delivered, as a message of this kind.
    Message { kind: String, id: String, data: String },
    /// All changes up to here were sent.
    Snapshot { id: String },
    /// No event of ours.
    Other,
}

/// Whose changes are read, and from where on.
#[derive(Debug, Clone)]
pub struct StreamSource<'a> {
    pub account_id: i64,
    pub sport: Option<&'a str>,
    /// A name of the endpoint, by which a canonical host counts streams: none keeps another from its own.
    pub client: &'a str,
    pub last_event_id: Option<&'a str>,
}

/// A stream that is being opened.
pub type OpeningStream<'a> = Pin<Box<dyn Future<Output = Result<ChangeStream, StreamError>> + Send + 'a>>;

/// Where the changes of a product come from.
pub trait ChangeFeed: Send + Sync + 'static {
    /// The changes of an account behind an event.
    fn open_stream<'a>(&'a self, source: &'a StreamSource<'a>) -> OpeningStream<'a>;
}

/// A stream that is open.
pub struct ChangeStream(Pin<Box<dyn Stream<Item = Result<StreamEvent, StreamError>> + Send>>);

impl ChangeStream {
    #[must_use]
    pub fn new(events: impl Stream<Item = Result<StreamEvent, StreamError>> + Send + 'static) -> Self {
        Self(Box::pin(events))
    }

    pub(super) async fn next_event(&mut self) -> Result<StreamEvent, StreamError> {
        self.0.next().await.ok_or(StreamError::Ended)?
    }
}

/// The changes that canonical hosts serve.
pub(crate) struct UpstreamFeed {
    pub(crate) product: KeyProduct,
    pub(crate) upstreams: Arc<UpstreamPool>,
}

impl ChangeFeed for UpstreamFeed {
    fn open_stream<'a>(&'a self, source: &'a StreamSource<'a>) -> OpeningStream<'a> {
        Box::pin(async move {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            if let Some(id) = source.last_event_id {
                let id = HeaderValue::from_str(id).map_err(|_| StreamError::PositionRefused)?;
                headers.insert(LAST_EVENT_ID, id);
            }
            let target = target_of(self.product, source.sport);
            let request = UpstreamRequest {
                method: &Method::GET,
                target: &target,
                headers: &headers,
                account: Some(source.client),
                request_id: None,
            };
            let response = self.upstreams.send_request(request).await.ok_or(StreamError::NoHost)?;
            match response.status {
                StatusCode::OK => {
                    let product = self.product;
                    let events = SseStream::new(response.body);
                    Ok(ChangeStream::new(events.map(move |event| read_event(product, event))))
                }
                StatusCode::BAD_REQUEST if source.last_event_id.is_some() => {
                    Err(StreamError::PositionRefused)
                }
                status => Err(StreamError::Status(status)),
            }
        })
    }
}

fn read_event(
    product: KeyProduct,
    event: Result<sse_stream::Sse, sse_stream::Error>,
) -> Result<StreamEvent, StreamError> {
    let event = event.map_err(StreamError::Broken)?;
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
            StreamEvent::Message { kind: format!("{}.{event_name}", product.name()), id, data }
        }
    })
}

fn target_of(product: KeyProduct, sport: Option<&str>) -> PathAndQuery {
    let path = match product {
        KeyProduct::Catalog => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("sport", sport.unwrap_or_default());
            format!("{CATALOG_STREAM}?{}", query.finish())
        }
        KeyProduct::Mma | KeyProduct::Leads => MMA_STREAM.to_owned(),
    };
    // Paths are constant, and queries are encoded.
    PathAndQuery::try_from(path).unwrap_or_else(|_| PathAndQuery::from_static(MMA_STREAM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sport_is_a_parameter_and_nothing_more() {
        let target = |product, sport| target_of(product, sport).to_string();
        assert_eq!(target(KeyProduct::Mma, None), "/v1/mma/changes/stream");
        assert_eq!(target(KeyProduct::Catalog, Some("nhl")), "/changes/stream?sport=nhl");
        assert_eq!(target(KeyProduct::Catalog, Some("a&b=c d")), "/changes/stream?sport=a%26b%3Dc+d");
    }
}
