//! `GET /v1/mma/bouts/{id}`

use schemars::JsonSchema;
use super::DEFAULT;
use crate::{Bout, Circumstances, EventCompact, Operation, OperationId, Origin, Plan};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Bout,
    name: "bout",
    path: "/v1/mma/bouts/{id}",
    tag: "Core",
    summary: "Get a bout",
    description: "With deductions, weights and short notices that sources tell.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<BoutDetail<'_>>("Plain"),
    ..DEFAULT
};

/// A bout on its own: as on a card, with its event and the circumstances that sources tell.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct BoutDetail<'a> {
    #[schemars(flatten)]
    bout: Bout<'a>,
    event: EventCompact<'a>,
    #[schemars(flatten)]
    circumstances: Circumstances<'a>,
}
