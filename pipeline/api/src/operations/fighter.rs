//! `GET /v1/mma/fighters/{id}`

use schemars::JsonSchema;
use super::fighter_history::HistoryItem;
use super::{DEFAULT, parameter};
use crate::{BoutCompact, EventCompact, FighterCompact, FighterDetail, FighterStats, Operation, OperationId, Origin, ParameterKind as K, Plan, Ranking};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Fighter,
    name: "fighter",
    path: "/v1/mma/fighters/{id}",
    tag: "Core",
    summary: "Get a fighter",
    description: "Includes add fields and never change the others; media is always on. `include=stats` needs pro.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        parameter("include", K::Choices { words: &["media", "ranking", "next", "history", "stats"] }, "What to add."),
        parameter("history_limit", K::Integer { min: 1, max: 250, default: 100 }, "Bouts of `history` at most."),
    ],
    example: "include=media,ranking,next,history,stats&history_limit=100",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<FighterComposite<'_>>("Composite"),
    ..DEFAULT
};

/// A fighter, and what was asked for besides.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct FighterComposite<'a> {
    #[schemars(flatten)]
    detail: FighterDetail<'a>,
    /// With `include=ranking`; null where there is no snapshot of rankings.
    #[schemars(skip_serializing_if = "never")]
    ranking: Option<Ranking<'a>>,
    /// With `include=next`; null where none is scheduled.
    #[schemars(skip_serializing_if = "never")]
    next_bout: Option<NextBout<'a>>,
    /// With `include=history`: fought bouts, newest first.
    #[schemars(skip_serializing_if = "never")]
    history: Vec<HistoryItem<'a>>,
    /// With `include=stats`.
    #[schemars(skip_serializing_if = "never")]
    stats: FighterStats<'a>,
}

/// A fighter's next bout.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct NextBout<'a> {
    bout: BoutCompact<'a>,
    event: EventCompact<'a>,
    opponent: FighterCompact<'a>,
}
