//! `GET /v1/mma/events/{id}/videos`

use super::parameters::{CURSOR, LIMIT, VIDEO_TYPE};
use crate::operation::Response;
use crate::{ErrorCode, EventVideos, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventVideos,
    name: "event_videos",
    path: "/v1/mma/events/{id}/videos",
    tag: "Media",
    summary: "Get an event's videos",
    description: "Oldest first, and the same grouped by type in the order of a fight week.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[VIDEO_TYPE.declared(), LIMIT.within((1, 200), 100).declared(), CURSOR.declared()],
    example: "limit=100&type=fight_preview",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<EventVideos<'_>>("Timeline"),
    ..Operation::DEFAULT
};
