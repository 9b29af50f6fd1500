//! `GET /v1/mma/changes`

use super::parameters::{CURSOR, limit, parameter};
use crate::operation::Response;
use crate::{Change, Operation, OperationId, Origin, ParameterKind as K, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Changes,
    name: "changes",
    path: "/v1/mma/changes",
    tag: "Data",
    summary: "List changes",
    description: "Additions and corrections, oldest first. Pages go on by `meta.next_cursor`.",
    parameters: &[
        parameter("since", K::Since, "Changes at this instant or after; of a date, from its first."),
        parameter("ids", K::Ids { max: 25 }, "Changes of these events, bouts and fighters alone: UUIDs."),
        limit(1000, 100),
        CURSOR,
    ],
    example: "since=2024-12-01&limit=100",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Change<'_>>>("Changes"),
    ..Operation::DEFAULT
};
