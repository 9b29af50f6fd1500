//! `GET /v1/mma/fighters/{id}/stats`

use crate::operation::Response;
use crate::{FighterCompact, FighterStats, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterStats,
    name: "fighter_stats",
    path: "/v1/mma/fighters/{id}/stats",
    tag: "Core",
    summary: "Get a fighter's statistics",
    description: "What a source states for display only, and sums over round statistics: plain, of all bouts to this day. Values as of a date are Fight DNA.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    plan: Plan::Pro,
    origin: Origin::SourceFact,
    response: Response::of::<StatsOfFighter<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// A fighter's statistics.
#[derive(Debug, JsonSchema, Serialize)]
pub struct StatsOfFighter<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub stats: FighterStats<'a>,
}
