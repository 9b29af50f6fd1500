//! `GET /v1/mma/bouts/{id}` and `GET /v1/mma/bouts/{id}/stats`

use crate::operation::Response;
use crate::{
    Bout, BoutCompact, BoutTotals, Circumstances, EventCompact, FighterCompact, Operation, OperationId,
    Origin, Plan, PreparedJson, RoundStat, prepared,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const BOUT: Operation = Operation {
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

pub(super) const STATS: Operation = Operation {
    id: OperationId::BoutStats,
    name: "bout_stats",
    path: "/v1/mma/bouts/{id}/stats",
    summary: "Get a bout's round statistics",
    description: "Both fighters, every round.",
    plan: Plan::Pro,
    response: Response::of::<BoutStats<'_>>("Plain"),
    ..BOUT
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
