//! Videos: `GET /v1/mma/videos`, and `…/videos` of a fighter, of an event and of a bout.

use super::parameters::{BOUT, CURSOR, EVENT, FIGHTER, LIMIT, OFFSET, VIDEO_TYPE};
use crate::operation::Response;
use crate::{ErrorCode, EventVideos, Operation, OperationId, Origin, Plan, Video};

const LIST: Operation = Operation {
    tag: "Media",
    description: "Newest first.",
    parameters: &[VIDEO_TYPE.declared(), LIMIT.within((1, 200), 100).declared(), CURSOR.declared()],
    example: "limit=100",
    plan: Plan::Developer,
    origin: Origin::ThirdPartyLink,
    unavailable: ErrorCode::VideosNotAvailable,
    response: Response::of::<Vec<Video<'_>>>("Page"),
    ..Operation::DEFAULT
};

pub(super) const VIDEOS: Operation = Operation {
    id: OperationId::Videos,
    name: "videos",
    path: "/v1/mma/videos",
    summary: "List videos",
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
    ..LIST
};

pub(super) const FIGHTER_VIDEOS: Operation = Operation {
    id: OperationId::FighterVideos,
    name: "fighter_videos",
    path: "/v1/mma/fighters/{id}/videos",
    summary: "List videos of a fighter",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    ..LIST
};

pub(super) const EVENT_VIDEOS: Operation = Operation {
    id: OperationId::EventVideos,
    name: "event_videos",
    path: "/v1/mma/events/{id}/videos",
    summary: "Get an event's videos",
    description: "Oldest first, and the same grouped by type in the order of a fight week.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    example: "limit=100&type=fight_preview",
    response: Response::of::<EventVideos<'_>>("Timeline"),
    ..LIST
};

pub(super) const BOUT_VIDEOS: Operation = Operation {
    id: OperationId::BoutVideos,
    name: "bout_videos",
    path: "/v1/mma/bouts/{id}/videos",
    summary: "List videos of a bout",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    ..LIST
};
