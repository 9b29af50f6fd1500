//! `GET /v1/mma/events/{id}/card`

use schemars::JsonSchema;
use super::{DEFAULT, parameter};
use crate::{Bout, BoutTotals, Event, Operation, OperationId, Origin, ParameterKind as K, Plan, RoundStat};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Card,
    name: "card",
    path: "/v1/mma/events/{id}/card",
    tag: "Core",
    summary: "Get an event's card",
    description: "Bouts with fighters and results, the main event first. Media and results are always on; `include=stats` adds round statistics and needs pro.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[
        parameter("include", K::Choices { words: &["media", "results", "stats"] }, "What to add."),
    ],
    example: "include=media,results,stats",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Card<'_>>("Card"),
    ..DEFAULT
};

/// An event and its bouts, the main event first.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct Card<'a> {
    event: Event<'a>,
    bouts: Vec<CardBout<'a>>,
}

/// A bout of a card. `fighter_a` is the fighter with the lower id: the order says nothing of the result.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct CardBout<'a> {
    #[schemars(flatten)]
    bout: Bout<'a>,
    #[schemars(flatten)]
    stats: IncludedStats<'a>,
}

/// With `include=stats`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
struct IncludedStats<'a> {
    /// With `include=stats`: both fighters, every round; empty where no source has any.
    #[schemars(skip_serializing_if = "never")]
    round_stats: Vec<RoundStat>,
    /// With `include=stats`: sums by fighter id; null where no source has any.
    #[schemars(skip_serializing_if = "never")]
    stat_totals: Option<std::collections::BTreeMap<String, BoutTotals<'a>>>,
}
