//! `GET /v1/mma/fighters/{id}/videos`

use super::parameters::{CURSOR, LIMIT, VIDEO_TYPE};
use crate::operation::Response;
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, Video};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterVideos,
    name: "fighter_videos",
    path: "/v1/mma/fighters/{id}/videos",
    tag: "Media",
    summary: "List videos of a fighter",
    description: "Newest first.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[VIDEO_TYPE.declared(), LIMIT.within((1, 200), 100).declared(), CURSOR.declared()],
    example: "limit=100",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<Vec<Video<'_>>>("Page"),
    ..Operation::DEFAULT
};
