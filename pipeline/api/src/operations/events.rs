//! `GET /v1/mma/events`, `GET /v1/mma/events/{id}` and `…/card`.

use super::parameters::{CURSOR, FROM, INCLUDE, LIMIT, PROMOTION, TO};
use crate::operation::Response;
use crate::param::{Choice, Date, Flag, Param};
use crate::{Bout, BoutTotals, Event, Operation, OperationId, Origin, Plan, PreparedJson, RoundStat};
use schemars::JsonSchema;
use serde::Serialize;

pub const STATUS: Param<Choice> = Param::choice(
    "status",
    &["all", "upcoming", "recent"],
    "all",
    "`upcoming`: announced, scheduled or in progress; `recent`: completed.",
);
pub const DATE: Param<Date> = Param::date("date", "Events of this date.");
pub const HAS_BOUTS: Param<Flag> =
    Param::flag("has_bouts", "Whether bouts of it are known that were not called off.");

pub(super) const EVENTS: Operation = Operation {
    id: OperationId::Events,
    name: "events",
    path: "/v1/mma/events",
    tag: "Core",
    summary: "List events",
    description: "Newest first; of those to come (`status=upcoming`) the next first.",
    parameters: &[
        STATUS.declared(),
        DATE.declared(),
        FROM.declared(),
        TO.declared(),
        PROMOTION.about("Events of this promotion.").declared(),
        HAS_BOUTS.declared(),
        LIMIT.within((1, 1000), 25).declared(),
        CURSOR.declared(),
    ],
    example: "status=upcoming&limit=25",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Event<'_>>>("Events"),
    ..Operation::DEFAULT
};

pub(super) const EVENT: Operation = Operation {
    id: OperationId::Event,
    name: "event",
    path: "/v1/mma/events/{id}",
    tag: "Core",
    summary: "Get an event",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Event<'_>>("Plain"),
    ..Operation::DEFAULT
};

pub(super) const CARD: Operation = Operation {
    id: OperationId::Card,
    name: "card",
    path: "/v1/mma/events/{id}/card",
    summary: "Get an event's card",
    description: "Bouts with fighters and results, the main event first. Media and results are always on; `include=stats` adds round statistics and needs pro.",
    parameters: &[INCLUDE.among(&["media", "results", "stats"]).declared()],
    example: "include=media,results,stats",
    response: Response::of::<Card<'_>>("Card"),
    ..EVENT
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
