//! `GET /v1/mma/wire`

use super::parameters::{CURSOR, EVENT, FIGHTER, LIMIT, OFFSET};
use crate::operation::Response;
use crate::param::{Param, Text};
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, WireStory};

pub const OUTLET: Param<Text> = Param::text("outlet", 100, "Stories of this outlet, in any case.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Wire,
    name: "wire",
    path: "/v1/mma/wire",
    tag: "Editorial",
    summary: "List stories of outlets",
    description: "Newest first: headline, link, outlet and time. A story that several outlets tell is one.",
    parameters: &[
        FIGHTER.declared(),
        EVENT.declared(),
        OUTLET.declared(),
        LIMIT.within((1, 100), 20).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::WireNotAvailable,
    response: Response::of::<Vec<WireStory<'_>>>("Page"),
    ..Operation::DEFAULT
};
