//! `GET /v1/mma/rankings`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::param::{Date, Param, Word};
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, RANKING_DIVISIONS, Rankings};

pub const DIVISION: Param<Word> = Param::word("division", RANKING_DIVISIONS, "One division.");
pub const ON: Param<Date> = Param::date("on", "The newest snapshot of this date or before.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Rankings,
    name: "rankings",
    path: "/v1/mma/rankings",
    tag: "Core",
    summary: "Get rankings",
    description: "By division: the newest snapshot, the newest before `as_of`, or the one that stood `on` a day.",
    parameters: &[DIVISION.declared(), AS_OF.declared(), ON.declared()],
    example: "division=LIGHTWEIGHT",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    unavailable: ErrorCode::RankingsNotAvailable,
    response: Response::of::<Rankings<'_>>("Rankings"),
    ..Operation::DEFAULT
};
