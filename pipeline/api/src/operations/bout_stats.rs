//! `GET /v1/mma/bouts/{id}/stats`

use crate::operation::Response;
use crate::{
    BoutCompact, BoutTotals, Circumstances, EventCompact, FighterCompact, Operation, OperationId, Origin,
    Plan, PreparedJson, RoundStat, prepared,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::BoutStats,
    name: "bout_stats",
    path: "/v1/mma/bouts/{id}/stats",
    tag: "Core",
    summary: "Get a bout's round statistics",
    description: "Both fighters, every round.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    plan: Plan::Pro,
    origin: Origin::SourceFact,
    response: Response::of::<BoutStats<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// A bout's round statistics.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutStats<'a> {
    pub bout: PreparedJson<'a, BoutCompact<'a>>,
    pub event: PreparedJson<'a, EventCompact<'a>>,
    pub fighter_a: FighterCompact<'a>,
    pub fighter_b: FighterCompact<'a>,
    /// Both fighters, every round; empty where no source has any.
    pub round_stats: Vec<RoundStat>,
    /// Sums by fighter id; null where no source has any.
    pub stat_totals: Option<std::collections::BTreeMap<String, BoutTotals<'a>>>,
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub circumstances: PreparedJson<'a, Circumstances<'a>>,
}
