//! `GET /v1/mma/videos`

use super::parameters::{BOUT, CURSOR, EVENT, FIGHTER, LIMIT, OFFSET, VIDEO_TYPE};
use crate::operation::Response;
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, Video};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Videos,
    name: "videos",
    path: "/v1/mma/videos",
    tag: "Media",
    summary: "List videos",
    description: "Newest first.",
    parameters: &[
        VIDEO_TYPE.declared(),
        FIGHTER.declared(),
        EVENT.declared(),
        BOUT.declared(),
        LIMIT.within((1, 200), 50).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "type=interview&limit=20",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<Vec<Video<'_>>>("Page"),
    ..Operation::DEFAULT
};
