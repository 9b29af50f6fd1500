//! `GET /v1/mma/events/{id}`

use super::DEFAULT;
use crate::{Event, Operation, OperationId, Origin, Plan};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Event,
    name: "event",
    path: "/v1/mma/events/{id}",
    tag: "Core",
    summary: "Get an event",
    description: "",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Event<'_>>("Plain"),
    ..DEFAULT
};
