//! `GET /v1/mma/changes` and `…/changes/stream`

use super::parameters::{CURSOR, LIMIT};
use crate::operation::Response;
use crate::param::{Ids, Instant, Param, Text};
use crate::{Change, DataSource, ErrorCode, Operation, OperationId, Origin, Plan};

pub const SINCE: Param<Instant> =
    Param::since("since", "Changes at this instant or after; of a date, from its first.");
pub const IDS: Param<Ids> =
    Param::ids("ids", 25, "Changes of these events, bouts and fighters alone: UUIDs.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Changes,
    name: "changes",
    path: "/v1/mma/changes",
    tag: "Data",
    summary: "List changes",
    description: "Additions and corrections, oldest first. Pages go on by `meta.next_cursor`.",
    parameters: &[
        SINCE.declared(),
        IDS.declared(),
        LIMIT.within((1, 1000), 100).declared(),
        CURSOR.declared(),
    ],
    example: "since=2024-12-01&limit=100",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Change<'_>>>("Changes"),
    ..Operation::DEFAULT
};

/// Where a stream goes on, for clients that cannot set the header.
pub const LAST_EVENT_ID: Param<Text> = Param::text(
    "last_event_id",
    100,
    "The `id` of the last event that the client has, where it cannot send `Last-Event-ID`.",
);

/// Answered as events and not in the envelope.
pub const STREAM: Operation = Operation {
    id: OperationId::ChangesStream,
    name: "changes_stream",
    path: "/v1/mma/changes/stream",
    tag: "Data",
    summary: "Follow changes",
    description: "Server-sent events, as they are published: an event `change` for each row of `changes` that a snapshot has and the one \
        published before it has not, oldest first, then an event `snapshot`, of which `changes` counts them. A stream begins with the \
        snapshot that is served; with `Last-Event-ID` it goes on behind that event, also on another host, and has whatever was published \
        meanwhile. Where a snapshot between is no longer kept, an event `reset` says so, and `changes` has what is missing. A comment \
        comes every 15 seconds of silence, and a stream ends within an hour: `EventSource` connects again by itself.",
    parameters: &[LAST_EVENT_ID.declared()],
    source: DataSource::Lake,
    errors: &[ErrorCode::Busy],
    response: None,
    ..OPERATION
};
