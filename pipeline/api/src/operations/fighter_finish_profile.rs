//! `GET /v1/mma/fighters/{id}/finish-profile`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{ErrorCode, FighterCompact, FinishProfile, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterFinishProfile,
    name: "fighter_finish_profile",
    path: "/v1/mma/fighters/{id}/finish-profile",
    tag: "Fight DNA",
    summary: "Get a fighter's finish profile",
    description: "How and when the fighter's bouts end.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::FinishProfileNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterFinishProfile<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// How a fighter's bouts end, as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterFinishProfile<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub profile: FinishProfile<'a>,
}
