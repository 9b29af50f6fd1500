//! `GET /v1/mma/events` and `GET /v1/mma/events/{id}`

use super::parameters::{CURSOR, FROM, LIMIT, PROMOTION, TO};
use crate::operation::Response;
use crate::param::{Choice, Date, Param};
use crate::{Event, Operation, OperationId, Origin, Plan};

pub const STATUS: Param<Choice> = Param::choice(
    "status",
    &["all", "upcoming", "recent"],
    "all",
    "`upcoming`: announced, scheduled or in progress; `recent`: completed.",
);
pub const DATE: Param<Date> = Param::date("date", "Events of this date.");

pub(super) const EVENTS: Operation = Operation {
    id: OperationId::Events,
    name: "events",
    path: "/v1/mma/events",
    tag: "Core",
    summary: "List events",
    description: "Newest first; of those to come (`status=upcoming`) the next first.",
    parameters: &[
        STATUS.declared(),
        DATE.declared(),
        FROM.declared(),
        TO.declared(),
        PROMOTION.about("Events of this promotion.").declared(),
        LIMIT.within((1, 1000), 25).declared(),
        CURSOR.declared(),
    ],
    example: "status=upcoming&limit=25",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Event<'_>>>("Events"),
    ..Operation::DEFAULT
};

pub(super) const EVENT: Operation = Operation {
    id: OperationId::Event,
    name: "event",
    path: "/v1/mma/events/{id}",
    tag: "Core",
    summary: "Get an event",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Event<'_>>("Plain"),
    ..Operation::DEFAULT
};
