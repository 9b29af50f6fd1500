//! `GET /v1/mma/bouts/{id}`

use crate::operation::Response;
use crate::{
    Bout, Circumstances, EventCompact, Operation, OperationId, Origin, Plan, PreparedJson, prepared,
};
use schemars::JsonSchema;
use serde::Serialize;

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
    ..Operation::DEFAULT
};

/// A bout on its own: as on a card, with its event and the circumstances that sources tell.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutDetail<'a> {
    #[serde(flatten)]
    pub bout: Bout<'a>,
    pub event: PreparedJson<'a, EventCompact<'a>>,
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub circumstances: PreparedJson<'a, Circumstances<'a>>,
}
