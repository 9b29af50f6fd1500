//! Career of a fighter: `GET /v1/mma/fighters/{id}/history`, `…/record` and `…/stats`.

use super::parameters::{AS_OF, CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::{
    BoutCompact, BoutResult, EventCompact, FighterCompact, FighterRecord, FighterStats, Operation,
    OperationId, Origin, Plan, PreparedJson, enums,
};
use schemars::JsonSchema;
use serde::Serialize;

const BASE: Operation = Operation {
    tag: "Core",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    ..Operation::DEFAULT
};

pub(super) const HISTORY: Operation = Operation {
    id: OperationId::FighterHistory,
    name: "fighter_history",
    path: "/v1/mma/fighters/{id}/history",
    summary: "List a fighter's bouts",
    description: "Those that were fought, newest first; as of a date, those before it.",
    parameters: &[
        AS_OF.declared(),
        LIMIT.within((1, 250), 100).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "limit=100",
    response: Response::of::<Vec<HistoryItem<'_>>>("Page"),
    ..BASE
};

pub(super) const RECORD: Operation = Operation {
    id: OperationId::FighterRecord,
    name: "fighter_record",
    path: "/v1/mma/fighters/{id}/record",
    summary: "Get a fighter's record",
    description: "The record that is true on a day: the one that a source states nearest to it, and the bouts that are held between the two days. Beside it the stated record itself, and what the bouts alone say, in all and by promotion.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    response: Response::of::<RecordOfFighter<'_>>("Plain"),
    ..BASE
};

pub(super) const STATS: Operation = Operation {
    id: OperationId::FighterStats,
    name: "fighter_stats",
    path: "/v1/mma/fighters/{id}/stats",
    summary: "Get a fighter's statistics",
    description: "What a source states for display only, and sums over round statistics: plain, of all bouts to this day. Values as of a date are Fight DNA.",
    plan: Plan::Pro,
    response: Response::of::<StatsOfFighter<'_>>("Plain"),
    ..BASE
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

/// A fighter's record.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RecordOfFighter<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub record: FighterRecord<'a>,
}

/// A fighter's statistics.
#[derive(Debug, JsonSchema, Serialize)]
pub struct StatsOfFighter<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub stats: FighterStats<'a>,
}
