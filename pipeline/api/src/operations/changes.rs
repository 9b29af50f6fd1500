//! `GET /v1/mma/changes`

use super::parameters::{CURSOR, LIMIT};
use crate::operation::Response;
use crate::param::{Ids, Instant, Param};
use crate::{Change, Operation, OperationId, Origin, Plan};

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
