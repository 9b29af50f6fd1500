//! The fight-week ledger: `GET /v1/mma/bouts/{id}/ledger` and `GET /v1/mma/events/{id}/intelligence`.

use super::parameters::{AS_OF, AT, CURSOR, KNOWN_AT, LIMIT};
use crate::operation::Response;
use crate::param::{Param, Word};
use crate::{
    BoutCompact, CHECKPOINTS, DataSource, ErrorCode, FighterCompact, IntelligenceBout, LedgerRow, Operation,
    OperationId, Origin, Plan, PreparedJson,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const CHECKPOINT: Param<Word> = Param::word("checkpoint", CHECKPOINTS, "Rows of this checkpoint.");

const BASE: Operation = Operation {
    tag: "Fight Week",
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    source: DataSource::Ledger,
    unavailable: ErrorCode::LedgerNotAvailable,
    ..Operation::DEFAULT
};

pub(super) const BOUT_LEDGER: Operation = Operation {
    id: OperationId::BoutLedger,
    name: "bout_ledger",
    path: "/v1/mma/bouts/{id}/ledger",
    summary: "List a bout's rows of the ledger",
    description: "Oldest first; of more than `limit` the newest, and older ones by `cursor`.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    parameters: &[
        AS_OF.declared(),
        AT.declared(),
        KNOWN_AT.declared(),
        CHECKPOINT.declared(),
        LIMIT.within((1, 1000), 100).declared(),
        CURSOR.declared(),
    ],
    example: "limit=50",
    response: Response::of::<Vec<LedgerRow<'_>>>("Ledger"),
    ..BASE
};

pub(super) const EVENT_INTELLIGENCE: Operation = Operation {
    id: OperationId::EventIntelligence,
    name: "event_intelligence",
    path: "/v1/mma/events/{id}/intelligence",
    summary: "Get what is known of an event's bouts",
    description: "The newest row of each bout, or the one that was the newest at a time; the main event first, and what changed since the checkpoint before.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[AS_OF.declared(), AT.declared(), KNOWN_AT.declared()],
    response: Response::of::<Vec<IntelligenceOfBout<'_>>>("Intelligence"),
    ..BASE
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
