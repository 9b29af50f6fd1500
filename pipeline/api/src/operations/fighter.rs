//! `GET /v1/mma/fighters/{id}`

use super::fighter_history::HistoryItem;
use super::parameters::INCLUDE;
use crate::operation::Response;
use crate::param::{Integer, Param};
use crate::{
    BoutCompact, EventCompact, FighterCompact, FighterDetail, FighterStats, Operation, OperationId, Origin,
    Plan, PreparedJson, Ranking,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const HISTORY_LIMIT: Param<Integer> =
    Param::integer("history_limit", (1, 250), 100, "Bouts of `history` at most.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Fighter,
    name: "fighter",
    path: "/v1/mma/fighters/{id}",
    tag: "Core",
    summary: "Get a fighter",
    description: "Includes add fields and never change the others; media is always on. `include=stats` needs pro.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        INCLUDE.among(&["media", "ranking", "next", "history", "stats"]).declared(),
        HISTORY_LIMIT.declared(),
    ],
    example: "include=media,ranking,next,history,stats&history_limit=100",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<FighterComposite<'_>>("Composite"),
    ..Operation::DEFAULT
};

/// A fighter, and what was asked for besides.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterComposite<'a> {
    #[serde(flatten)]
    pub detail: FighterDetail<'a>,
    /// With `include=ranking`; null where there is no snapshot of rankings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Ranking<'a>>")]
    pub ranking: Option<Option<Ranking<'a>>>,
    /// With `include=next`; null where none is scheduled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<NextBout<'a>>")]
    pub next_bout: Option<Option<NextBout<'a>>>,
    /// With `include=history`: fought bouts, newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<HistoryItem<'a>>")]
    pub history: Option<Vec<HistoryItem<'a>>>,
    /// With `include=stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "FighterStats<'a>")]
    pub stats: Option<FighterStats<'a>>,
}

/// A fighter's next bout.
#[derive(Debug, JsonSchema, Serialize)]
pub struct NextBout<'a> {
    pub bout: PreparedJson<'a, BoutCompact<'a>>,
    pub event: PreparedJson<'a, EventCompact<'a>>,
    pub opponent: FighterCompact<'a>,
}
