//! `GET /v1/mma/fighters/{id}/history`

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::{
    BoutCompact, BoutResult, EventCompact, FighterCompact, Operation, OperationId, Origin, Plan,
    PreparedJson, enums,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterHistory,
    name: "fighter_history",
    path: "/v1/mma/fighters/{id}/history",
    tag: "Core",
    summary: "List a fighter's bouts",
    description: "Those that were fought, newest first.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[LIMIT.within((1, 250), 100).declared(), OFFSET.declared(), CURSOR.declared()],
    example: "limit=100",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<HistoryItem<'_>>>("Page"),
    ..Operation::DEFAULT
};

/// A bout that a fighter fought.
#[derive(Debug, JsonSchema, Serialize)]
pub struct HistoryItem<'a> {
    pub bout: PreparedJson<'a, BoutCompact<'a>>,
    pub event: PreparedJson<'a, EventCompact<'a>>,
    pub opponent: FighterCompact<'a>,
    /// Null where no source has it.
    pub result: Option<PreparedJson<'a, BoutResult<'a>>>,
    /// How it ended for the fighter; null where the result is not known.
    #[schemars(with = "Option<enums::SideOutcome>")]
    pub outcome: Option<&'a str>,
}
