//! `GET /v1/mma/fighters/{id}/position-profile`

use super::parameters::AS_OF;
use crate::{ErrorCode, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterPositionProfile,
    name: "fighter_position_profile",
    path: "/v1/mma/fighters/{id}/position-profile",
    tag: "Fight DNA",
    summary: "Get a fighter's position profile",
    description: "Needs a licensed source, and there is none: 503 for every fighter.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    plan: Plan::Pro,
    origin: Origin::Licensed,
    unavailable: ErrorCode::PositionProfileNotAvailable,
    ..Operation::DEFAULT
};
