//! `GET /v1/mma/events/{id}/card`

use super::parameters::INCLUDE;
use crate::operation::Response;
use crate::{Bout, BoutTotals, Event, Operation, OperationId, Origin, Plan, PreparedJson, RoundStat};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Card,
    name: "card",
    path: "/v1/mma/events/{id}/card",
    tag: "Core",
    summary: "Get an event's card",
    description: "Bouts with fighters and results, the main event first. Media and results are always on; `include=stats` adds round statistics and needs pro.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[INCLUDE.among(&["media", "results", "stats"]).declared()],
    example: "include=media,results,stats",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Card<'_>>("Card"),
    ..Operation::DEFAULT
};

/// An event and its bouts, the main event first.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Card<'a> {
    pub event: PreparedJson<'a, Event<'a>>,
    pub bouts: Vec<CardBout<'a>>,
}

/// A bout of a card. `fighter_a` is the fighter with the lower id: the order says nothing of the result.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CardBout<'a> {
    #[serde(flatten)]
    pub bout: Bout<'a>,
    #[serde(flatten)]
    pub stats: Option<IncludedStats<'a>>,
}

/// With `include=stats`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct IncludedStats<'a> {
    /// With `include=stats`: both fighters, every round; empty where no source has any.
    pub round_stats: Vec<RoundStat>,
    /// With `include=stats`: sums by fighter id; null where no source has any.
    pub stat_totals: Option<std::collections::BTreeMap<String, BoutTotals<'a>>>,
}
