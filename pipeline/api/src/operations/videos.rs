//! `GET /v1/mma/videos`

use super::parameters::{BOUT, CURSOR, EVENT, FIGHTER, OFFSET, VIDEO_TYPE, limit};
use crate::operation::Response;
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, Video};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Videos,
    name: "videos",
    path: "/v1/mma/videos",
    tag: "Media",
    summary: "List videos",
    description: "Newest first.",
    parameters: &[VIDEO_TYPE, FIGHTER, EVENT, BOUT, limit(200, 50), OFFSET, CURSOR],
    example: "type=interview&limit=20",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<Vec<Video<'_>>>("Page"),
    ..Operation::DEFAULT
};
