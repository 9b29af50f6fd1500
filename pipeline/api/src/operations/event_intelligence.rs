//! `GET /v1/mma/events/{id}/intelligence`

use schemars::JsonSchema;
use super::{DEFAULT, AS_OF, AT, KNOWN_AT};
use crate::{BoutCompact, DataSource, ErrorCode, FighterCompact, IntelligenceBout, Operation, OperationId, Origin, Plan};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventIntelligence,
    name: "event_intelligence",
    path: "/v1/mma/events/{id}/intelligence",
    tag: "Fight Week",
    summary: "Get what is known of an event's bouts",
    description: "The newest row of each bout, or the one that was the newest at a time; the main event first, and what changed since the checkpoint before.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[
        AS_OF,
        AT,
        KNOWN_AT,
    ],
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    source: DataSource::Ledger,
    unavailable: ErrorCode::LedgerNotAvailable,
    response: Response::of::<Vec<IntelligenceOfBout<'_>>>("Intelligence"),
    ..DEFAULT
};

/// What is known of a bout now, and who fights it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct IntelligenceOfBout<'a> {
    bout: BoutCompact<'a>,
    fighter_a: FighterCompact<'a>,
    fighter_b: FighterCompact<'a>,
    #[schemars(flatten)]
    known: IntelligenceBout<'a>,
}
