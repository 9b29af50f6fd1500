//! `GET /v1/mma/bouts/{id}/videos`

use super::parameters::{CURSOR, LIMIT, VIDEO_TYPE};
use crate::operation::Response;
use crate::{ErrorCode, Operation, OperationId, Origin, Plan, Video};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::BoutVideos,
    name: "bout_videos",
    path: "/v1/mma/bouts/{id}/videos",
    tag: "Media",
    summary: "List videos of a bout",
    description: "Newest first.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    parameters: &[VIDEO_TYPE.declared(), LIMIT.within((1, 200), 100).declared(), CURSOR.declared()],
    example: "limit=100",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<Vec<Video<'_>>>("Page"),
    ..Operation::DEFAULT
};
