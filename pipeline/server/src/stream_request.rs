//! A request for a stream of changes: behind which event it goes on.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Response};
use fdna_api::operations::changes::{LAST_EVENT_ID, STREAM};
use fdna_api::{ErrorCode, ErrorDetails, Failure, Params};
use fdna_view::change_stream::{EventId, StreamPosition};

use crate::client::ClientId;
use crate::serving_state::ServingState;

const LAST_EVENT_ID_HEADER: HeaderName = HeaderName::from_static("last-event-id");

/// Answers a request for the stream of the MMA product.
pub(crate) async fn respond(served: &Arc<ServingState>, head: &Parts) -> Response<Body> {
    let query = head.uri.query().unwrap_or_default();
    let opened = async {
        let params = Params::parse(STREAM.parameters(), query)?;
        open(served, "", params.get(LAST_EVENT_ID), head).await
    };
    opened.await.unwrap_or_else(|failure| crate::respond::failure(&failure.of(&STREAM), None))
}

/// A stream of a list, behind the event that the header or else the query names.
///
/// # Errors
/// As [`ChangeStreams::open`](crate::change_streams::ChangeStreams::open).
pub(crate) async fn open(
    served: &ServingState,
    list: &str,
    in_query: Option<&str>,
    head: &Parts,
) -> Result<Response<Body>, Failure> {
    let in_header = head.headers.get(LAST_EVENT_ID_HEADER).map(HeaderValue::to_str);
    let last = match in_header {
        Some(Ok(id)) if !id.is_empty() => parse_id(id, "Last-Event-ID")?,
        Some(Err(_)) => return Err(malformed("Last-Event-ID", "it has other than visible characters")),
        _ => in_query.map(|id| parse_id(id, LAST_EVENT_ID.name())).transpose()?.flatten(),
    };
    let client = ClientId::of(head, served.has_key());
    served.change_streams.open(list, last, client).await
}

fn parse_id(id: &str, name: &str) -> Result<Option<StreamPosition>, Failure> {
    let parsed = id.parse::<EventId>();
    parsed.map(|id| Some(id.into())).map_err(|error| malformed(name, &error.to_string()))
}

fn malformed(name: &str, why: &str) -> Failure {
    let message = format!("`{name}` must be the id of an event as the stream sent it: {why}");
    let details = ErrorDetails::of_parameter(name, "the id of an event as the stream sent it");
    Failure::new(ErrorCode::InvalidParameter, message).with(details)
}
