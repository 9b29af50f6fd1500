//! `GET /v1/mma/fighters/media`

use crate::operation::Response;
use crate::param::{Ids, Param};
use crate::{FightersMedia, Operation, OperationId, Origin, Plan};

pub const IDS: Param<Ids> = Param::required_ids("ids", 150, "UUIDs of fighters.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FightersMedia,
    name: "fighters_media",
    path: "/v1/mma/fighters/media",
    tag: "Media",
    summary: "Look up primary images",
    description: "One key for each id that is asked for; null where no image may be shown. `attribution_text` must be rendered.",
    parameters: &[IDS.declared()],
    example: "ids={id},{id}",
    plan: Plan::Developer,
    origin: Origin::Media,
    response: Response::of::<FightersMedia<'_>>("Media"),
    ..Operation::DEFAULT
};
