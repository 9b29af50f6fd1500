//! `GET /v1/mma/events/{id}/intelligence`

use super::parameters::{AS_OF, AT, KNOWN_AT};
use crate::operation::Response;
use crate::{
    BoutCompact, DataSource, ErrorCode, FighterCompact, IntelligenceBout, Operation, OperationId, Origin,
    Plan, PreparedJson,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventIntelligence,
    name: "event_intelligence",
    path: "/v1/mma/events/{id}/intelligence",
    tag: "Fight Week",
    summary: "Get what is known of an event's bouts",
    description: "The newest row of each bout, or the one that was the newest at a time; the main event first, and what changed since the checkpoint before.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[AS_OF.declared(), AT.declared(), KNOWN_AT.declared()],
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    source: DataSource::Ledger,
    unavailable: ErrorCode::LedgerNotAvailable,
    response: Response::of::<Vec<IntelligenceOfBout<'_>>>("Intelligence"),
    ..Operation::DEFAULT
};

/// What is known of a bout now, and who fights it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct IntelligenceOfBout<'a> {
    pub bout: PreparedJson<'a, BoutCompact<'a>>,
    pub fighter_a: FighterCompact<'a>,
    pub fighter_b: FighterCompact<'a>,
    #[serde(flatten)]
    pub known: IntelligenceBout<'a>,
}
