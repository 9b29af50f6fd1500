//! `GET /v1/mma/events`

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

pub(super) const OPERATION: Operation = Operation {
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
