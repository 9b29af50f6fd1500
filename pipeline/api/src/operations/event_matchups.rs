//! `GET /v1/mma/events/{id}/matchups`

use super::matchup_dna::MatchupSide;
use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{
    BoutFacts, CurrentRecord, ErrorCode, EventCompact, Failure, FighterCompact, MatchupSummary, Operation,
    OperationId, Origin, Plan, PreparedJson, PreviousMeeting, formats,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventMatchups,
    name: "event_matchups",
    path: "/v1/mma/events/{id}/matchups",
    tag: "Matchup DNA",
    summary: "Compare the fighters of a card",
    description: "Every bout of an event in one answer: class, rounds and title, the records of the day, bodies, insights with their gates and earlier meetings, or the error that says why there are none. `href` leads to the whole matchup.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[AS_OF
        .about("What was known before this date began; without it, before the day of the event.")
        .declared()],
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::MatchupDnaNotAvailable,
    response: Response::of::<EventMatchups<'_>>("Matchups"),
    ..Operation::DEFAULT
};

/// The matchups of an event's card in short.
#[derive(Debug, JsonSchema, Serialize)]
pub struct EventMatchups<'a> {
    pub event: PreparedJson<'a, EventCompact<'a>>,
    /// The asked date; without one, the day of the event.
    #[schemars(with = "formats::Date")]
    pub as_of: String,
    pub notes: &'static [&'static str],
    /// The main event first; bouts that were called off are none of them.
    pub matchups: Vec<MatchupOfBout<'a>>,
}

/// A bout of a card and its matchup in short.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupOfBout<'a> {
    pub bout: PreparedJson<'a, BoutFacts<'a>>,
    pub fighter_a: FighterCompact<'a>,
    pub fighter_b: FighterCompact<'a>,
    /// The records that are true on the day; null where no source states one to reckon from.
    pub record_a: Option<CurrentRecord<'a>>,
    pub record_b: Option<CurrentRecord<'a>>,
    /// Null where there is none.
    pub matchup: Option<MatchupInShort<'a>>,
    /// What asking for the matchup is refused with; null where there is one.
    pub error: Option<Failure>,
}

/// A matchup without its metrics and pairings.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupInShort<'a> {
    pub a: MatchupSide<'a>,
    pub b: MatchupSide<'a>,
    #[serde(flatten)]
    pub summary: MatchupSummary<'a>,
    /// Bouts of the two before `as_of`, newest first.
    pub previous_meetings: Vec<PreviousMeeting<'a>>,
}
