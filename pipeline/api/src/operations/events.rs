//! `GET /v1/mma/events`

use super::parameters::{CURSOR, FROM, PROMOTION, TO, limit, parameter};
use crate::operation::Response;
use crate::{Event, Operation, OperationId, Origin, ParameterKind as K, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Events,
    name: "events",
    path: "/v1/mma/events",
    tag: "Core",
    summary: "List events",
    description: "Newest first; of those to come (`status=upcoming`) the next first.",
    parameters: &[
        parameter(
            "status",
            K::Choice { words: &["all", "upcoming", "recent"], default: "all" },
            "`upcoming`: announced, scheduled or in progress; `recent`: completed.",
        ),
        parameter("date", K::Date, "Events of this date."),
        FROM,
        TO,
        PROMOTION.about("Events of this promotion."),
        limit(1000, 25),
        CURSOR,
    ],
    example: "status=upcoming&limit=25",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Event<'_>>>("Events"),
    ..Operation::DEFAULT
};
