//! A bout as any layout lists it, and the rows that it becomes.

use chrono::NaiveDate;
use fdna_model::{BoutId, EventId, FighterId, FindingKind, Method, Outcome, TimeFormat, WeightText};
use fdna_rows::PackedRow;
use fdna_schemas::tables::{BoutsRow, ResultsRow, ScorecardsRow};

use super::capture_facts::{FactPosition, FindingLog, SOURCE};
use super::detail::restore_spaces;
use super::gates::FoughtSide;
use super::scorecards::{self, CardJudges, ParsedCard};

/// A bout and its ending as a row states them, whatever the names of event and fighters.
pub(super) struct StatsdbListing<'a> {
    pub(super) at: FactPosition<'a>,
    pub(super) source_id: &'a str,
    /// `W/L` and the like, in the order of the fighters.
    pub(super) outcome: &'a str,
    pub(super) weight: &'a str,
    pub(super) method: &'a str,
    pub(super) round: i32,
    pub(super) clock_secs: i32,
    pub(super) format: &'a str,
    pub(super) referee: Option<&'a str>,
    pub(super) details: Option<&'a str>,
    /// Place on the card, 1 first to be fought, where known.
    pub(super) order: Option<i32>,
}

/// A listed fighter: his source id, and the rule that gave it.
pub(super) type FighterIdMatch = (String, &'static str);

/// A listed bout whose event, fighters and method are known.
pub(super) struct StatsdbBout<'a> {
    listed: &'a StatsdbListing<'a>,
    event: EventId,
    date: NaiveDate,
    pub(super) source_ids: [String; 2],
    rules: [&'static str; 2],
    fighters: [FighterId; 2],
    method: Method,
    format: Option<TimeFormat>,
}

pub(super) type RefusedBout = (FindingKind, String);

impl<'a> StatsdbBout<'a> {
    /// Holds the row to what every bout must have; an error says what it lacks.
    pub(super) fn from_listing(
        listed: &'a StatsdbListing<'a>,
        (event, date): (EventId, NaiveDate),
        [(first, first_rule), (second, second_rule)]: [FighterIdMatch; 2],
        log: &mut FindingLog,
    ) -> Result<Self, RefusedBout> {
        if first == second {
            return Err((FindingKind::Contradiction, format!("both fighters are {first}")));
        }
        let method = Method::from_source(listed.method)
            .ok_or_else(|| (FindingKind::UnreadableValue, format!("`METHOD` is `{}`", listed.method)))?;
        let format = time_format(listed, log)?;
        let fighters = [FighterId::of(SOURCE, &first), FighterId::of(SOURCE, &second)];
        let (source_ids, rules) = ([first, second], [first_rule, second_rule]);
        Ok(Self { listed, event, date, source_ids, rules, fighters, method, format })
    }

    pub(super) fn to_fought_side(&self) -> FoughtSide {
        FoughtSide {
            id: BoutId::of(SOURCE, self.listed.source_id),
            source_id: self.listed.source_id.to_owned(),
            fighters: self.fighters,
            last_round: self.listed.round,
            clock_secs: self.listed.clock_secs,
            format: self.format.clone(),
        }
    }

    fn outcome(&self) -> (Outcome, Option<usize>) {
        match self.listed.outcome {
            "W/L" => (Outcome::Win, Some(0)),
            "L/W" => (Outcome::Win, Some(1)),
            "D/D" => (Outcome::Draw, None),
            _ => (Outcome::NoContest, None),
        }
    }

    /// Listed places of fighters a and b: a has the lower id.
    fn listed_places(&self) -> [usize; 2] {
        if self.fighters[0] < self.fighters[1] { [0, 1] } else { [1, 0] }
    }
}

/// The time format, unless the end lies outside it.
fn time_format(listed: &StatsdbListing<'_>, log: &mut FindingLog) -> Result<Option<TimeFormat>, RefusedBout> {
    let format = TimeFormat::parse(listed.format);
    match &format {
        None => {
            let reason = format!("`TIME FORMAT` is `{}`: the fought time is not known", listed.format);
            log.add_note(listed.at, FindingKind::UnreadableValue, Some(listed.source_id), reason);
        }
        Some(format) if format.total_secs(listed.round, listed.clock_secs).is_none() => {
            let clock = format!("round {} at {} s", listed.round, listed.clock_secs);
            return Err((FindingKind::Contradiction, format!("{clock} is not within {}", listed.format)));
        }
        Some(_) => {}
    }
    Ok(format)
}

/// Rows of the tables that bouts become.
pub(super) struct StatsdbBouts {
    pub(super) bouts: Vec<PackedRow>,
    pub(super) results: Vec<PackedRow>,
    pub(super) scorecards: Vec<PackedRow>,
    judges: CardJudges,
}

impl StatsdbBouts {
    /// `judges` are those of all bouts of the capture: they are known from each other's cards.
    pub(super) fn new(judges: CardJudges) -> Self {
        let (bouts, results, scorecards) = Default::default();
        Self { bouts, results, scorecards, judges }
    }

    pub(super) fn push_bout(&mut self, entry: &StatsdbBout<'_>, log: &mut FindingLog) {
        let id = BoutId::of(SOURCE, entry.listed.source_id);
        self.bouts.push(bout_row(entry, id));
        let cards = entry.listed.details.map(scorecards::parse_cards).unwrap_or_default();
        let detail = method_detail(entry.listed.details, &cards, &self.judges);
        self.results.push(result_row(entry, id, detail.as_deref()));
        self.push_cards(entry, id, &cards, log);
    }

    /// The source writes the loser's points first. Where nobody lost, the sides of unequal points are not
    /// known, and null says so.
    fn push_cards(
        &mut self,
        entry: &StatsdbBout<'_>,
        id: BoutId,
        cards: &[ParsedCard],
        log: &mut FindingLog,
    ) {
        let (_, winner) = entry.outcome();
        let contradicts = winner.is_some() && !cards.is_empty() && !scorecards::loser_first(cards);
        if contradicts {
            let reason = "the points do not bear out that the loser's come first: sides left unknown";
            log.add_note(
                entry.listed.at,
                FindingKind::UnreadableScorecard,
                Some(entry.listed.source_id),
                reason,
            );
        }
        let winner = winner.filter(|_| !contradicts);
        for (order, card) in (1..).zip(cards) {
            let scores = match winner {
                // Points by listed place, then by side.
                Some(winner) => {
                    let score_of = |place: usize| if place == winner { card.second } else { card.first };
                    entry.listed_places().map(score_of).map(Some)
                }
                None if card.first == card.second => [Some(card.first); 2],
                None => [None; 2],
            };
            self.scorecards.push(PackedRow::from_row(&ScorecardsRow {
                bout_id: id.0,
                judge_order: order,
                judge: self.judges.split_label(&card.label).1.as_deref(),
                score_a: scores[0],
                score_b: scores[1],
                raw: &format!("{} - {}", card.first, card.second),
                last_capture: None,
            }));
        }
    }
}

fn bout_row(entry: &StatsdbBout<'_>, id: BoutId) -> PackedRow {
    let listed = entry.listed;
    let weight = WeightText::parse(listed.weight);
    let [a, b] = entry.listed_places();
    let rounds = entry.format.as_ref().and_then(TimeFormat::scheduled_rounds);
    PackedRow::from_row(&BoutsRow {
        bout_id: id.0,
        statsdb_id: Some(listed.source_id),
        feed_competition_id: None,
        event_id: entry.event.0,
        event_date: entry.date,
        weight_class: weight.name(),
        weight_class_raw: Some(listed.weight),
        is_womens: Some(weight.is_womens),
        is_title: Some(weight.is_title()),
        title_kind: weight.title.map(fdna_model::TitleKind::name),
        scheduled_rounds: rounds.map(i32::from),
        scheduled_rounds_rule: rounds.map(|_| "stated"),
        card_position: None,
        bout_order: listed.order,
        status: Some("completed"),
        replaced_bout_id: None,
        short_notice_days: None,
        fighter_a_id: entry.fighters[a].0,
        fighter_b_id: entry.fighters[b].0,
        fighter_a_rule: entry.rules[a],
        fighter_b_rule: entry.rules[b],
        start_at: None,
        promotion: None,
        last_capture: None,
    })
}

/// The finishing detail; of a text with scorecards, what stands before the first judge.
fn method_detail(details: Option<&str>, cards: &[ParsedCard], judges: &CardJudges) -> Option<String> {
    match cards.first() {
        Some(card) => judges.split_label(&card.label).0,
        None => details.map(restore_spaces).and_then(|text| without_to(&text)),
    }
}

/// The source writes `KO/TKO to Corner Stoppage` where the strike is missing: what is left of it begins with `to`.
fn without_to(detail: &str) -> Option<String> {
    let rest = if detail == "to" { "" } else { detail.strip_prefix("to ").unwrap_or(detail) };
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn result_row(entry: &StatsdbBout<'_>, id: BoutId, detail: Option<&str>) -> PackedRow {
    let listed = entry.listed;
    let (outcome, winner) = entry.outcome();
    PackedRow::from_row(&ResultsRow {
        bout_id: id.0,
        outcome: outcome.name(),
        winner_id: winner.map(|place| entry.fighters[place].0),
        method: entry.method.name(),
        method_detail: detail,
        round: listed.round,
        clock_secs: listed.clock_secs,
        time_format: listed.format,
        total_secs: entry.format.as_ref().and_then(|f| f.total_secs(listed.round, listed.clock_secs)),
        referee: listed.referee,
        last_capture: None,
    })
}
