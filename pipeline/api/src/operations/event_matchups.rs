//! `GET /v1/mma/events/{id}/matchups`

use schemars::JsonSchema;
use super::matchup_dna::MatchupSide;
use super::{DEFAULT, AS_OF};
use crate::{BoutCompact, ErrorCode, EventCompact, Failure, FighterCompact, MatchupSummary, Operation, OperationId, Origin, Plan, PreviousMeeting, formats};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventMatchups,
    name: "event_matchups",
    path: "/v1/mma/events/{id}/matchups",
    tag: "Matchup DNA",
    summary: "Compare the fighters of a card",
    description: "Every bout of an event in one answer: bodies, insights and earlier meetings, or the error that says why there are none. `href` leads to the whole matchup.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[
        AS_OF.about("What was known before this date began; without it, before the day of the event."),
    ],
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::MatchupDnaNotAvailable,
    response: Response::of::<EventMatchups<'_>>("Matchups"),
    ..DEFAULT
};

/// The matchups of an event's card in short.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct EventMatchups<'a> {
    event: EventCompact<'a>,
    /// The asked date; without one, the day of the event.
    #[schemars(with = "formats::Date")]
    as_of: (),
    notes: Vec<String>,
    /// The main event first; bouts that were called off are none of them.
    matchups: Vec<MatchupOfBout<'a>>,
}

/// A bout of a card and its matchup in short.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct MatchupOfBout<'a> {
    bout: BoutCompact<'a>,
    fighter_a: FighterCompact<'a>,
    fighter_b: FighterCompact<'a>,
    /// Null where there is none.
    matchup: Option<MatchupInShort<'a>>,
    /// What asking for the matchup is refused with; null where there is one.
    error: Option<Failure>,
}

/// A matchup without its metrics and pairings.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct MatchupInShort<'a> {
    a: MatchupSide<'a>,
    b: MatchupSide<'a>,
    #[schemars(flatten)]
    summary: MatchupSummary<'a>,
    /// Bouts of the two before `as_of`, newest first.
    previous_meetings: Vec<PreviousMeeting<'a>>,
}
