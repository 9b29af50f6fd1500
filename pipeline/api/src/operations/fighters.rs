//! `GET /v1/mma/fighters`

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::param::{Flag, Param, Text};
use crate::{Fighter, Operation, OperationId, Origin, Plan};

pub const Q: Param<Text> =
    Param::text("q", 100, "Words or parts of words of the name or nickname, in any order, or the initials.");
pub const ACTIVE: Param<Flag> = Param::flag("active", "Whether the fighter is active: a bout in 36 months.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Fighters,
    name: "fighters",
    path: "/v1/mma/fighters",
    tag: "Core",
    summary: "List fighters",
    description: "By name. Of those that `q` finds, the nearest first, then who fought most, for titles above all.",
    parameters: &[
        Q.declared(),
        ACTIVE.declared(),
        LIMIT.within((1, 250), 60).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "q=silva&active=true&limit=60&offset=0",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Fighter<'_>>>("Fighters"),
    ..Operation::DEFAULT
};
