//! Profiles of a fighter by round, finish and position: `GET /v1/mma/fighters/{id}/round-profile`, `…/finish-profile` and
//! `…/position-profile`.

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{ErrorCode, FighterCompact, FinishProfile, Operation, OperationId, Origin, Plan, RoundProfile};
use schemars::JsonSchema;
use serde::Serialize;

const PROFILE: Operation = Operation {
    tag: "Fight DNA",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    errors: &[ErrorCode::DnaNotAvailable],
    ..Operation::DEFAULT
};

pub(super) const ROUNDS: Operation = Operation {
    id: OperationId::FighterRoundProfile,
    name: "fighter_round_profile",
    path: "/v1/mma/fighters/{id}/round-profile",
    summary: "Get a fighter's round profile",
    description: "What the fighter does round by round, and how the pace falls.",
    unavailable: ErrorCode::RoundProfileNotAvailable,
    response: Response::of::<FighterRoundProfile<'_>>("Plain"),
    ..PROFILE
};

pub(super) const FINISHES: Operation = Operation {
    id: OperationId::FighterFinishProfile,
    name: "fighter_finish_profile",
    path: "/v1/mma/fighters/{id}/finish-profile",
    summary: "Get a fighter's finish profile",
    description: "How and when the fighter's bouts end.",
    unavailable: ErrorCode::FinishProfileNotAvailable,
    response: Response::of::<FighterFinishProfile<'_>>("Plain"),
    ..PROFILE
};

pub(super) const POSITIONS: Operation = Operation {
    id: OperationId::FighterPositionProfile,
    name: "fighter_position_profile",
    path: "/v1/mma/fighters/{id}/position-profile",
    summary: "Get a fighter's position profile",
    description: "Needs a licensed source, and there is none: 503 for every fighter.",
    example: "",
    origin: Origin::Licensed,
    unavailable: ErrorCode::PositionProfileNotAvailable,
    errors: &[],
    ..PROFILE
};

/// What a fighter does round by round, as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterRoundProfile<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub profile: RoundProfile<'a>,
}

/// How a fighter's bouts end, as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterFinishProfile<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub profile: FinishProfile<'a>,
}
