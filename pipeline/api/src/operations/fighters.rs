//! `GET /v1/mma/fighters`

use super::parameters::{CURSOR, OFFSET, limit, parameter};
use crate::operation::Response;
use crate::{Fighter, Operation, OperationId, Origin, ParameterKind as K, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Fighters,
    name: "fighters",
    path: "/v1/mma/fighters",
    tag: "Core",
    summary: "List fighters",
    description: "By name.",
    parameters: &[
        parameter(
            "q",
            K::Text { max_chars: 100 },
            "Words or parts of words of the name or nickname, in any order.",
        ),
        parameter("active", K::Boolean, "Whether the fighter is active: a bout in 36 months."),
        limit(250, 60),
        OFFSET,
        CURSOR,
    ],
    example: "q=silva&active=true&limit=60&offset=0",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Fighter<'_>>>("Fighters"),
    ..Operation::DEFAULT
};
