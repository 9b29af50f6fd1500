//! `GET /v1/mma/rankings`

use super::parameters::{AS_OF, parameter};
use crate::operation::Response;
use crate::{
    ErrorCode, Operation, OperationId, Origin, ParameterKind as K, Plan, RANKING_DIVISIONS, Rankings,
};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Rankings,
    name: "rankings",
    path: "/v1/mma/rankings",
    tag: "Core",
    summary: "Get rankings",
    description: "By division: the newest snapshot, the newest before `as_of`, or the one that stood `on` a day.",
    parameters: &[
        parameter("division", K::Word { words: RANKING_DIVISIONS }, "One division."),
        AS_OF,
        parameter("on", K::Date, "The newest snapshot of this date or before."),
    ],
    example: "division=LIGHTWEIGHT",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    unavailable: ErrorCode::RankingsNotAvailable,
    response: Response::of::<Rankings<'_>>("Rankings"),
    ..Operation::DEFAULT
};
