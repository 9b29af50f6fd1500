//! `GET /v1/mma/fighters/{id}/round-profile`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{ErrorCode, FighterCompact, Operation, OperationId, Origin, Plan, RoundProfile};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterRoundProfile,
    name: "fighter_round_profile",
    path: "/v1/mma/fighters/{id}/round-profile",
    tag: "Fight DNA",
    summary: "Get a fighter's round profile",
    description: "What the fighter does round by round, and how the pace falls.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::RoundProfileNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterRoundProfile<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// What a fighter does round by round, as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterRoundProfile<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub profile: RoundProfile<'a>,
}
