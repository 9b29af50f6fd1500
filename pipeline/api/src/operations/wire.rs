//! `GET /v1/mma/wire`

use super::parameters::{CURSOR, EVENT, FIGHTER, OFFSET, limit, parameter};
use crate::operation::Response;
use crate::{ErrorCode, Operation, OperationId, Origin, ParameterKind as K, Plan, WireStory};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Wire,
    name: "wire",
    path: "/v1/mma/wire",
    tag: "Editorial",
    summary: "List stories of outlets",
    description: "Newest first: headline, link, outlet and time. A story that several outlets tell is one.",
    parameters: &[
        FIGHTER,
        EVENT,
        parameter("outlet", K::Text { max_chars: 100 }, "Stories of this outlet, in any case."),
        limit(100, 20),
        OFFSET,
        CURSOR,
    ],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::WireNotAvailable,
    response: Response::of::<Vec<WireStory<'_>>>("Page"),
    ..Operation::DEFAULT
};
