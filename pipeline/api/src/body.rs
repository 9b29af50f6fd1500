//! What the server puts together from finished pieces: the schema of each such body.
//!
//! These types are never made. The server joins bytes that were serialised when a snapshot was loaded; here stands
//! what comes of it, and tests hold every answer against it.

#![expect(dead_code, reason = "schemas of what is put together elsewhere")]

use schemars::JsonSchema;

use crate::*;

/// Facts of an error for programs; which are given depends on its code.
#[derive(JsonSchema)]
pub(crate) struct ErrorDetails {
    /// invalid_parameter: its name.
    #[schemars(skip_serializing_if = "never")]
    parameter: String,
    /// invalid_parameter: what it allows, in words.
    #[schemars(skip_serializing_if = "never")]
    allowed: String,
    /// invalid_parameter: what was asked for, perhaps: the names that are nearest to what was given.
    #[schemars(skip_serializing_if = "never")]
    did_you_mean: Vec<String>,
    /// not_found: what was looked for: fighter, event, bout or article.
    #[schemars(skip_serializing_if = "never")]
    kind: String,
    /// not_found: the id that nobody has, or several have.
    #[schemars(skip_serializing_if = "never")]
    id: String,
    /// not_found: those that have the id, where it is several's.
    #[schemars(skip_serializing_if = "never")]
    candidates: Vec<Candidate>,
    /// dna_not_available: no_eligible_bout or before_first_version. position_profile_not_available:
    /// no_licensed_source. A source that is not there: no_source or never_captured.
    #[schemars(skip_serializing_if = "never")]
    reason: String,
    /// A source that is not there: what it would tell.
    #[schemars(skip_serializing_if = "never")]
    group: String,
    /// dna_not_available: the asked date.
    #[schemars(with = "Option<shape::Date>", skip_serializing_if = "never")]
    as_of: (),
    /// dna_not_available: the first day on which there is any; null where there never is.
    #[schemars(with = "Option<shape::Date>", skip_serializing_if = "never")]
    first_valid_from: (),
    /// snapshot_not_found, snapshot_not_available, busy: the id that was asked for.
    #[schemars(skip_serializing_if = "never")]
    snapshot: String,
    /// position_profile_not_available: LICENSED.
    #[schemars(skip_serializing_if = "never")]
    origin: words::OriginLabel,
    /// plan_required: the plan that the key has.
    #[schemars(skip_serializing_if = "never")]
    plan: words::PlanName,
    /// plan_required: the lowest plan that allows what was asked.
    #[schemars(skip_serializing_if = "never")]
    required_plan: words::PlanName,
    /// rate_limited, quota_exceeded: requests that are allowed in a window.
    #[schemars(skip_serializing_if = "never")]
    limit: u64,
    /// rate_limited, quota_exceeded: the window, minute or month.
    #[schemars(skip_serializing_if = "never")]
    per: words::Window,
}

/// One of several that have an id.
#[derive(JsonSchema)]
pub(crate) struct Candidate {
    /// To ask for it by.
    id: Id,
    name: String,
}

/// An event and its bouts, the main event first.
#[derive(JsonSchema)]
pub(crate) struct Card<'a> {
    event: Event<'a>,
    bouts: Vec<CardBout<'a>>,
}

/// A bout of a card. `fighter_a` is the fighter with the lower id: the order says nothing of the result.
#[derive(JsonSchema)]
pub(crate) struct CardBout<'a> {
    #[schemars(flatten)]
    bout: Bout<'a>,
    #[schemars(flatten)]
    stats: IncludedStats<'a>,
}

/// With `include=stats`.
#[derive(JsonSchema)]
struct IncludedStats<'a> {
    /// With `include=stats`: both fighters, every round; empty where no source has any.
    #[schemars(skip_serializing_if = "never")]
    round_stats: Vec<RoundStat>,
    /// With `include=stats`: sums by fighter id; null where no source has any.
    #[schemars(skip_serializing_if = "never")]
    stat_totals: Option<std::collections::BTreeMap<String, BoutTotals<'a>>>,
}

/// A bout on its own: as on a card, with its event and the circumstances that sources tell.
#[derive(JsonSchema)]
pub(crate) struct BoutDetail<'a> {
    #[schemars(flatten)]
    bout: Bout<'a>,
    event: EventCompact<'a>,
    #[schemars(flatten)]
    circumstances: Circumstances<'a>,
}

/// A bout's round statistics.
#[derive(JsonSchema)]
pub(crate) struct BoutStats<'a> {
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

/// A bout in short with its event, fighters and result.
#[derive(JsonSchema)]
pub(crate) struct BoutWithParties<'a> {
    bout: BoutCompact<'a>,
    event: EventCompact<'a>,
    fighter_a: FighterCompact<'a>,
    fighter_b: FighterCompact<'a>,
    /// Null while there is none.
    result: Option<BoutResult<'a>>,
}

/// A fighter, and what was asked for besides.
#[derive(JsonSchema)]
pub(crate) struct FighterComposite<'a> {
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
pub(crate) struct NextBout<'a> {
    bout: BoutCompact<'a>,
    event: EventCompact<'a>,
    opponent: FighterCompact<'a>,
}

/// A bout that a fighter fought.
#[derive(JsonSchema)]
pub(crate) struct HistoryItem<'a> {
    bout: BoutCompact<'a>,
    event: EventCompact<'a>,
    opponent: FighterCompact<'a>,
    /// Null where no source has it.
    result: Option<BoutResult<'a>>,
    /// How it ended for the fighter; null where the result is not known.
    outcome: Option<words::SideOutcome>,
}

/// A fighter's record: as a source states it, and as we count it.
#[derive(JsonSchema)]
pub(crate) struct RecordOfFighter<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    record: FighterRecord<'a>,
}

/// A fighter's statistics.
#[derive(JsonSchema)]
pub(crate) struct StatsOfFighter<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    stats: FighterStats<'a>,
}

/// One fighter who matches a query.
#[derive(JsonSchema)]
pub(crate) struct QueryMatch<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    item: QueryItem<'a>,
}

/// All metrics of a fighter as of a date.
#[derive(JsonSchema)]
pub(crate) struct FighterDna<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    dna: Dna<'a>,
}

/// A fighter in bouts of one kind, as of a date.
#[derive(JsonSchema)]
pub(crate) struct FighterSplits<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    splits: Splits<'a>,
}

/// What a fighter does round by round, as of a date.
#[derive(JsonSchema)]
pub(crate) struct FighterRoundProfile<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    profile: RoundProfile<'a>,
}

/// How a fighter's bouts end, as of a date.
#[derive(JsonSchema)]
pub(crate) struct FighterFinishProfile<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    profile: FinishProfile<'a>,
}

/// Two fighters beside each other.
#[derive(JsonSchema)]
pub(crate) struct MatchupDna<'a> {
    a: MatchupSide<'a>,
    b: MatchupSide<'a>,
    #[schemars(flatten)]
    matchup: Matchup<'a>,
    /// Opponents that both met before `as_of`.
    common_opponents: Vec<CommonOpponent<'a>>,
    /// Bouts of the two before `as_of`, newest first.
    previous_meetings: Vec<PreviousMeeting<'a>>,
}

/// One of several fighters whose DNA was asked for.
#[derive(JsonSchema)]
pub(crate) struct DnaOfOne<'a> {
    id: Id,
    /// Null where there is none.
    dna: Option<FighterDna<'a>>,
    /// What asking for it alone is refused with; null where there is DNA.
    error: Option<Failure>,
}

/// One metric of a fighter, version after version.
#[derive(JsonSchema)]
pub(crate) struct FighterDnaSeries<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    series: DnaSeries<'a>,
}

/// The matchups of an event's card in short.
#[derive(JsonSchema)]
pub(crate) struct EventMatchups<'a> {
    event: EventCompact<'a>,
    /// The asked date; without one, the day of the event.
    #[schemars(with = "shape::Date")]
    as_of: (),
    notes: Vec<String>,
    /// The main event first; bouts that were called off are none of them.
    matchups: Vec<MatchupOfBout<'a>>,
}

/// A bout of a card and its matchup in short.
#[derive(JsonSchema)]
pub(crate) struct MatchupOfBout<'a> {
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
pub(crate) struct MatchupInShort<'a> {
    a: MatchupSide<'a>,
    b: MatchupSide<'a>,
    #[schemars(flatten)]
    summary: MatchupSummary<'a>,
    /// Bouts of the two before `as_of`, newest first.
    previous_meetings: Vec<PreviousMeeting<'a>>,
}

/// One fighter of a matchup, and the version that is compared.
#[derive(JsonSchema)]
pub(crate) struct MatchupSide<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    version: Derived<'a>,
}

/// Somebody whom both met.
#[derive(JsonSchema)]
pub(crate) struct CommonOpponent<'a> {
    opponent: FighterCompact<'a>,
    /// Newest first.
    a: Vec<CommonBout<'a>>,
    /// Newest first.
    b: Vec<CommonBout<'a>>,
}

/// What is known of a bout now, and who fights it.
#[derive(JsonSchema)]
pub(crate) struct IntelligenceOfBout<'a> {
    bout: BoutCompact<'a>,
    fighter_a: FighterCompact<'a>,
    fighter_b: FighterCompact<'a>,
    #[schemars(flatten)]
    known: IntelligenceBout<'a>,
}

/// A fighter that was found.
#[derive(JsonSchema)]
pub(crate) struct FoundFighter<'a> {
    #[schemars(flatten)]
    head: SearchHead,
    record: FighterCompact<'a>,
}

/// An event that was found.
#[derive(JsonSchema)]
pub(crate) struct FoundEvent<'a> {
    #[schemars(flatten)]
    head: SearchHead,
    record: EventCompact<'a>,
}

/// A bout that was found.
#[derive(JsonSchema)]
pub(crate) struct FoundBout<'a> {
    #[schemars(flatten)]
    head: SearchHead,
    record: BoutWithParties<'a>,
}

/// An article that was found.
#[derive(JsonSchema)]
pub(crate) struct FoundArticle<'a> {
    #[schemars(flatten)]
    head: SearchHead,
    record: Article<'a>,
}
