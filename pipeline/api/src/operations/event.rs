//! `GET /v1/mma/events/{id}`

use crate::operation::Response;
use crate::{Event, Operation, OperationId, Origin, Plan};

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
    ..Operation::DEFAULT
};
