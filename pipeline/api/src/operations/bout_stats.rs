//! `GET /v1/mma/bouts/{id}/stats`

use schemars::JsonSchema;
use super::DEFAULT;
use crate::{BoutCompact, BoutTotals, Circumstances, EventCompact, FighterCompact, Operation, OperationId, Origin, Plan, RoundStat};
use crate::operation::Response;

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
    ..DEFAULT
};

/// A bout's round statistics.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct BoutStats<'a> {
    bout: BoutCompact<'a>,
    event: EventCompact<'a>,
    fighter_a: FighterCompact<'a>,
    fighter_b: FighterCompact<'a>,
    /// Both fighters, every round; empty where no source has any.
    round_stats: Vec<RoundStat>,
    /// Sums by fighter id; null where no source has any.
    stat_totals: Option<std::collections::BTreeMap<String, BoutTotals<'a>>>,
    #[schemars(flatten)]
    circumstances: Circumstances<'a>,
}
