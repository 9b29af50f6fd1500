//! Bouts and their results.

use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use fdna_model::{BoutId, EventId, FighterId, FindingKind, Method, Outcome, TimeFormat, WeightText};
use fdna_schemas::TableReader;

use super::events::Events;
use super::names::{Names, Rule};
use super::scorecards::{self, Card, Judges};
use super::{At, Facts, Log, SOURCE};
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};

const RESULTS_FILE: &str = "ufc_fight_results.csv";

/// A bout with what its round rows need: they name event and fighters only.
pub(super) struct Bout {
    pub(super) id: BoutId,
    pub(super) source_id: String,
    pub(super) event: String,
    /// As listed: names, source ids and our ids belong together.
    pub(super) names: [String; 2],
    pub(super) source_ids: [String; 2],
    pub(super) fighters: [FighterId; 2],
    pub(super) last_round: i32,
    pub(super) clock_secs: i32,
    pub(super) format: Option<TimeFormat>,
}

#[derive(Default)]
pub(super) struct Bouts {
    pub(super) bouts: Vec<Bout>,
    pub(super) rows: Vec<Row>,
    pub(super) results: Vec<Row>,
    pub(super) scorecards: Vec<Row>,
}

/// One row of the results file.
struct Listed<'a> {
    at: At<'a>,
    source_id: &'a str,
    event: &'a str,
    names: [&'a str; 2],
    outcome: &'a str,
    weight: &'a str,
    method: &'a str,
    round: i32,
    clock_secs: i32,
    format: &'a str,
    referee: Option<&'a str>,
    details: Option<&'a str>,
    /// Place on the card, 1 first to be fought, where known.
    order: Option<i32>,
}

/// A listed bout whose event, fighters and method are known.
struct Known<'a> {
    listed: &'a Listed<'a>,
    event: EventId,
    date: NaiveDate,
    source_ids: [String; 2],
    rules: [Rule; 2],
    fighters: [FighterId; 2],
    method: Method,
    format: Option<TimeFormat>,
}

struct Layouts {
    bouts: Layout,
    results: Layout,
    scorecards: Layout,
}

pub(super) fn resolve(
    facts: &Facts<'_>,
    events: &Events,
    names: &Names,
    log: &mut Log,
) -> Result<Bouts, NormaliseError> {
    let listed = listed(facts)?;
    let layouts = layouts()?;
    let mut judges = Judges::default();
    listed.iter().filter_map(|l| l.details).for_each(|d| judges.learn(&scorecards::cards(d)));
    let mut bouts = Bouts::default();
    for row in &listed {
        match known(row, events, names, log) {
            Ok(known) => bouts.push(known, &layouts, &judges, log),
            Err((kind, reason)) => log.set_aside(row.at, kind, Some(row.source_id), reason),
        }
    }
    Ok(bouts)
}

fn layouts() -> Result<Layouts, NormaliseError> {
    Ok(Layouts {
        bouts: Layout::new(
            "bouts",
            &[
                "bout_id",
                "statsdb_id",
                "feed_competition_id",
                "event_id",
                "event_date",
                "weight_class",
                "weight_class_raw",
                "is_womens",
                "is_title",
                "title_kind",
                "scheduled_rounds",
                "card_position",
                "bout_order",
                "status",
                "replaced_bout_id",
                "short_notice_days",
                "fighter_a_id",
                "fighter_b_id",
                "fighter_a_rule",
                "fighter_b_rule",
            ],
        )?,
        results: Layout::new(
            "results",
            &[
                "bout_id",
                "outcome",
                "winner_id",
                "method",
                "method_detail",
                "round",
                "clock_secs",
                "time_format",
                "total_secs",
                "referee",
            ],
        )?,
        scorecards: Layout::new(
            "scorecards",
            &["bout_id", "judge_order", "judge", "score_a", "score_b", "raw"],
        )?,
    })
}

/// The rows of the results file, with their places on the card.
fn listed<'a>(facts: &Facts<'a>) -> Result<Vec<Listed<'a>>, NormaliseError> {
    let reader = facts.read("statsdb_results")?;
    let places = places(&reader, &facts.refused_lines(RESULTS_FILE)?)?;
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (ids, events) = (reader.texts("bout_source_id")?, reader.texts("event")?);
    let (first, second) = (reader.texts("first_name")?, reader.texts("second_name")?);
    let (outcomes, weights) = (reader.texts("outcome")?, reader.texts("weight_class_raw")?);
    let (methods, formats) = (reader.texts("method")?, reader.texts("time_format")?);
    let (rounds, clocks) = (reader.counts("round")?, reader.counts("clock_secs")?);
    let (referees, details) = (reader.strings("referee")?, reader.strings("details")?);
    let listed = (0..reader.rows()).map(|i| Listed {
        at: At { file: files[i], line: lines[i] },
        source_id: ids[i],
        event: events[i],
        names: [first[i], second[i]],
        outcome: outcomes[i],
        weight: weights[i],
        method: methods[i],
        round: rounds[i],
        clock_secs: clocks[i],
        format: formats[i],
        referee: referees[i],
        details: details[i],
        order: places[i],
    });
    Ok(listed.collect())
}

/// Place of each bout on its card, 1 first to be fought: the file lists an event's bouts in one block, the main
/// event first. A row that ingest refused keeps its place; where one stands right behind a block, it may be of
/// that event, and the places are not known.
fn places(reader: &TableReader<'_>, refused: &BTreeSet<i32>) -> Result<Vec<Option<i32>>, NormaliseError> {
    let (lines, events) = (reader.counts("line")?, reader.texts("event")?);
    let mut last: HashMap<&str, i32> = HashMap::new();
    let mut kept: HashMap<&str, i32> = HashMap::new();
    for (event, line) in events.iter().zip(&lines) {
        let newest = last.entry(event).or_insert(*line);
        *newest = (*newest).max(*line);
        *kept.entry(event).or_default() += 1;
    }
    let rows = lines.into_iter().zip(&events).map(|(line, event)| {
        let (last, left) = (last[event], kept.entry(event).or_default());
        *left -= 1;
        let between = refused.range(line..=last).count();
        let refused_behind = refused.contains(&(last + 1));
        (!refused_behind).then(|| *left + 1 + i32::try_from(between).unwrap_or(0))
    });
    Ok(rows.collect())
}

type Refused = (FindingKind, String);

fn known<'a>(
    listed: &'a Listed<'a>,
    events: &Events,
    names: &Names,
    log: &mut Log,
) -> Result<Known<'a>, Refused> {
    let (event, date) = events.named(listed.event).map_err(|reason| (FindingKind::UnknownEvent, reason))?;
    let class = WeightText::parse(listed.weight).class;
    let resolve =
        |name| names.resolve(name, date, class).map_err(|reason| (FindingKind::UnknownFighter, reason));
    let ((first, first_rule), (second, second_rule)) = (resolve(listed.names[0])?, resolve(listed.names[1])?);
    if first == second {
        return Err((FindingKind::Contradiction, format!("both names are of fighter {first}")));
    }
    let method = Method::from_source(listed.method)
        .ok_or_else(|| (FindingKind::UnreadableValue, format!("`METHOD` is `{}`", listed.method)))?;
    let format = TimeFormat::parse(listed.format);
    match &format {
        None => {
            let reason = format!("`TIME FORMAT` is `{}`: the fought time is not known", listed.format);
            log.note(listed.at, FindingKind::UnreadableValue, Some(listed.source_id), reason);
        }
        Some(format) if format.total_secs(listed.round, listed.clock_secs).is_none() => {
            let clock = format!("round {} at {} s", listed.round, listed.clock_secs);
            return Err((FindingKind::Contradiction, format!("{clock} is not within {}", listed.format)));
        }
        Some(_) => {}
    }
    let fighters = [FighterId::of(SOURCE, &first), FighterId::of(SOURCE, &second)];
    let (source_ids, rules) = ([first, second], [first_rule, second_rule]);
    Ok(Known { listed, event, date, source_ids, rules, fighters, method, format })
}

impl Known<'_> {
    fn outcome(&self) -> (Outcome, Option<usize>) {
        match self.listed.outcome {
            "W/L" => (Outcome::Win, Some(0)),
            "L/W" => (Outcome::Win, Some(1)),
            "D/D" => (Outcome::Draw, None),
            _ => (Outcome::NoContest, None),
        }
    }

    /// Listed places of fighters a and b: a has the lower id.
    fn places(&self) -> [usize; 2] {
        if self.fighters[0] < self.fighters[1] { [0, 1] } else { [1, 0] }
    }
}

impl Bouts {
    fn push(&mut self, known: Known<'_>, layouts: &Layouts, judges: &Judges, log: &mut Log) {
        let listed = known.listed;
        let id = BoutId::of(SOURCE, listed.source_id);
        self.rows.push(bout_row(&known, id, &layouts.bouts));
        let cards = listed.details.map(scorecards::cards).unwrap_or_default();
        let detail = method_detail(listed.details, &cards, judges);
        self.results.push(result_row(&known, id, detail, &layouts.results));
        self.push_cards(&known, id, &cards, judges, &layouts.scorecards, log);
        self.bouts.push(Bout {
            id,
            source_id: listed.source_id.to_owned(),
            event: listed.event.to_owned(),
            names: listed.names.map(str::to_owned),
            source_ids: known.source_ids,
            fighters: known.fighters,
            last_round: listed.round,
            clock_secs: listed.clock_secs,
            format: known.format,
        });
    }

    /// The source writes the loser's points first. Where nobody lost, the sides of unequal points are not
    /// known, and null says so.
    fn push_cards(
        &mut self,
        known: &Known<'_>,
        id: BoutId,
        cards: &[Card],
        judges: &Judges,
        layout: &Layout,
        log: &mut Log,
    ) {
        let (_, winner) = known.outcome();
        let contradicts = winner.is_some() && !cards.is_empty() && !scorecards::loser_first(cards);
        if contradicts {
            let reason = "the points do not bear out that the loser's come first: sides left unknown";
            log.note(known.listed.at, FindingKind::UnreadableScorecard, Some(known.listed.source_id), reason);
        }
        let winner = winner.filter(|_| !contradicts);
        for (order, card) in (1..).zip(cards) {
            let scores = match winner {
                // Points by listed place, then by side.
                Some(winner) => {
                    let of = |place: usize| if place == winner { card.second } else { card.first };
                    known.places().map(of).map(Some)
                }
                None if card.first == card.second => [Some(card.first); 2],
                None => [None; 2],
            };
            self.scorecards.push(layout.row([
                id.0.into(),
                order.into(),
                judges.split(&card.label).1.as_deref().into(),
                scores[0].into(),
                scores[1].into(),
                Value::text(format!("{} - {}", card.first, card.second)),
            ]));
        }
    }
}

fn bout_row(known: &Known<'_>, id: BoutId, layout: &Layout) -> Row {
    let listed = known.listed;
    let weight = WeightText::parse(listed.weight);
    let [a, b] = known.places();
    let rounds = known.format.as_ref().and_then(TimeFormat::scheduled_rounds);
    layout.row([
        id.0.into(),
        listed.source_id.into(),
        Value::Null,
        known.event.0.into(),
        known.date.into(),
        weight.class.map(fdna_model::WeightClass::name).into(),
        listed.weight.into(),
        weight.is_womens.into(),
        weight.is_title().into(),
        weight.title.map(fdna_model::TitleKind::name).into(),
        rounds.map(i32::from).into(),
        Value::Null,
        listed.order.into(),
        "completed".into(),
        Value::Null,
        Value::Null,
        known.fighters[a].0.into(),
        known.fighters[b].0.into(),
        known.rules[a].name().into(),
        known.rules[b].name().into(),
    ])
}

/// The finishing detail; of a text with scorecards, what stands before the first judge.
fn method_detail(details: Option<&str>, cards: &[Card], judges: &Judges) -> Option<String> {
    match cards.first() {
        Some(card) => judges.split(&card.label).0,
        None => details.map(str::to_owned),
    }
}

fn result_row(known: &Known<'_>, id: BoutId, detail: Option<String>, layout: &Layout) -> Row {
    let listed = known.listed;
    let (outcome, winner) = known.outcome();
    let total = known.format.as_ref().and_then(|f| f.total_secs(listed.round, listed.clock_secs));
    layout.row([
        id.0.into(),
        outcome.name().into(),
        winner.map(|place| known.fighters[place].0).into(),
        known.method.name().into(),
        detail.as_deref().into(),
        listed.round.into(),
        listed.clock_secs.into(),
        listed.format.into(),
        total.into(),
        listed.referee.into(),
    ])
}

/// Bout addresses without a result: their pairings cannot be checked, and are known to be wrong at times.
pub(super) fn details_without_result(
    facts: &Facts<'_>,
    bouts: &Bouts,
    log: &mut Log,
) -> Result<(), NormaliseError> {
    let reader = facts.read("statsdb_bout_details")?;
    let results = facts.read("statsdb_results")?;
    let listed: std::collections::HashSet<&str> = results.texts("bout_source_id")?.into_iter().collect();
    let known: std::collections::HashSet<&str> = bouts.bouts.iter().map(|b| b.source_id.as_str()).collect();
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (ids, pairs) = (reader.texts("bout_source_id")?, reader.texts("bout")?);
    for i in 0..reader.rows() {
        let at = At { file: files[i], line: lines[i] };
        if !listed.contains(ids[i]) {
            let reason = format!("`{}` has no result: its pairing cannot be checked", pairs[i]);
            log.set_aside(at, FindingKind::NoResult, Some(ids[i]), reason);
        } else if !known.contains(ids[i]) {
            log.set_aside(at, FindingKind::UnknownBout, Some(ids[i]), "its result was set aside");
        }
    }
    Ok(())
}
