//! `GET /v1/mma/fighters/media`

use super::parameters::parameter;
use crate::operation::Response;
use crate::{FightersMedia, Operation, OperationId, Origin, ParameterKind as K, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FightersMedia,
    name: "fighters_media",
    path: "/v1/mma/fighters/media",
    tag: "Media",
    summary: "Look up primary images",
    description: "One key for each id that is asked for; null where no image may be shown. `attribution_text` must be rendered.",
    parameters: &[parameter("ids", K::Ids { max: 150 }, "UUIDs of fighters.").required()],
    example: "ids={id},{id}",
    plan: Plan::Developer,
    origin: Origin::Media,
    response: Response::of::<FightersMedia<'_>>("Media"),
    ..Operation::DEFAULT
};
