//! `GET /v1/mma/fighters/{id}/finish-profile`

use schemars::JsonSchema;
use super::{DEFAULT, AS_OF};
use crate::{ErrorCode, FighterCompact, FinishProfile, Operation, OperationId, Origin, Plan};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterFinishProfile,
    name: "fighter_finish_profile",
    path: "/v1/mma/fighters/{id}/finish-profile",
    tag: "Fight DNA",
    summary: "Get a fighter's finish profile",
    description: "How and when the fighter's bouts end.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        AS_OF,
    ],
    example: "as_of=2024-01-01",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::FinishProfileNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterFinishProfile<'_>>("Plain"),
    ..DEFAULT
};

/// How a fighter's bouts end, as of a date.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct FighterFinishProfile<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    profile: FinishProfile<'a>,
}
