//! A stream of events: its header parameter and its response.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::headers;
use crate::{PublishedChanges, StreamReset};

/// What is sent first, a change and the end of a publication, as they are on the wire.
const EXAMPLE: &str = concat!(
    "id: 4f2a0c1d4f2a0c1d4f2a0c1d4f2a0c1d-9b1c6a0f3d2e5b74:1\nevent: change\ndata: {\"at\":\"2026-09-05T06:00:00+00:00\",…}\nretry: 5000\n\n",
    "id: 4f2a0c1d4f2a0c1d4f2a0c1d4f2a0c1d-9b1c6a0f3d2e5b74:end\nevent: snapshot\n",
    "data: {\"snapshot_id\":\"4f2a0c1d4f2a0c1d4f2a0c1d4f2a0c1d\",\"published_at\":\"2026-09-05T06:10:00+00:00\",\"changes\":1}\n\n",
    ": heartbeat\n\n",
);

/// Header parameter: where the stream goes on.
pub(super) fn parameter() -> Value {
    json!({
        "name": "Last-Event-ID",
        "in": "header",
        "required": false,
        "description": "The `id` of the last event that the client has: the stream goes on behind it. It counts before `last_event_id`.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}-[0-9a-f]{16}:(end|[1-9][0-9]{0,8})$"},
    })
}

/// The success.
pub(super) fn response() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = |of: fn(&mut SchemaGenerator) -> schemars::Schema| of(&mut generator).to_value();
    let events = json!({
        "change": {"description": "A row of the list of changes."},
        "snapshot": schema(|to| to.root_schema_for::<PublishedChanges<'_>>()),
        "reset": schema(|to| to.root_schema_for::<StreamReset<'_>>()),
    });
    json!({
        "description": "Events, each with `id`, `event` and one line of `data`, which is JSON: of what form, `x-events` says by the name of \
            the event.",
        "headers": headers::of_gateway(),
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": EXAMPLE}},
        "x-events": events,
    })
}

/// The same and the parameter for the document of another API, which has no components for headers.
#[must_use]
pub fn change_stream_schema() -> (Value, Map<String, Value>) {
    let mut response = response();
    headers::resolve(&mut response["headers"]);
    (parameter(), [("200".to_owned(), response)].into_iter().collect())
}
