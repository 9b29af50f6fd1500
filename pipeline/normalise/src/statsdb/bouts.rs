//! Bouts and their results in the six-file layout, which names event and fighters.

use std::collections::{BTreeSet, HashMap, HashSet};

use fdna_model::{FindingKind, WeightText};
use fdna_schemas::tables::{StatsdbBoutDetailsReader, StatsdbResultsReader, StatsdbResultsRow};

use super::bout_rows::{RefusedBout, StatsdbBout, StatsdbBouts, StatsdbListing};
use super::capture_facts::{FactPosition, FindingLog, StatsdbFacts};
use super::events::ResolvedEvents;
use super::gates::FoughtSide;
use super::names::{NameResolver, NameRule};
use super::scorecards::CardJudges;
use crate::error::NormaliseError;

pub(super) const RESULTS_FILE: &str = "ufc_fight_results.csv";

/// A bout with what its round rows need: they name event and fighters only.
pub(super) struct ResolvedBout {
    pub(super) fought: FoughtSide,
    pub(super) event: String,
    /// As listed: names and source ids belong together, in the order of the fighters.
    pub(super) names: [String; 2],
    pub(super) source_ids: [String; 2],
}

pub(super) struct ResolvedBouts {
    pub(super) bouts: Vec<ResolvedBout>,
    /// Source ids of results that were set aside.
    pub(super) refused: HashSet<String>,
    pub(super) entries: StatsdbBouts,
}

/// One row of the results file.
struct NamedFighter<'a> {
    listed: StatsdbListing<'a>,
    event: &'a str,
    names: [&'a str; 2],
    /// Where the layout gives them.
    source_ids: [Option<&'a str>; 2],
}

/// The rule that ties a fighter whose id the layout gives.
const BY_ID: &str = "source_id";

pub(super) fn resolve_bouts(
    facts: &StatsdbFacts<'_>,
    events: &ResolvedEvents,
    names: &NameResolver,
    judges: CardJudges,
    log: &mut FindingLog,
) -> Result<ResolvedBouts, NormaliseError> {
    let rows = read_named_fighters(facts)?;
    let entries = StatsdbBouts::new(judges);
    let mut bouts = ResolvedBouts { bouts: Vec::new(), refused: HashSet::new(), entries };
    for row in &rows {
        match resolve_entry(row, events, names, log) {
            Ok(entry) => bouts.push_bout(row, &entry, log),
            Err((kind, reason)) => {
                log.set_aside(row.listed.at, kind, Some(row.listed.source_id), reason);
                bouts.refused.insert(row.listed.source_id.to_owned());
            }
        }
    }
    Ok(bouts)
}

fn resolve_entry<'a>(
    row: &'a NamedFighter<'a>,
    events: &ResolvedEvents,
    names: &NameResolver,
    log: &mut FindingLog,
) -> Result<StatsdbBout<'a>, RefusedBout> {
    let (event, date) =
        events.event_named(row.event).map_err(|reason| (FindingKind::UnknownEvent, reason))?;
    let class = WeightText::parse(row.listed.weight).class;
    let mut by_name = |name| match names.resolve_name(name, date, class) {
        Ok((id, rule)) => {
            if rule == NameRule::Typing {
                let reason = format!("`{name}` is taken for a typing error: nobody has that name");
                log.add_note(row.listed.at, FindingKind::OtherName, Some(row.listed.source_id), reason);
            }
            Ok((id, rule.name()))
        }
        Err(reason) => Err((FindingKind::UnknownFighter, reason)),
    };
    let mut resolve = |place: usize| match row.source_ids[place] {
        Some(id) => Ok((id.to_owned(), BY_ID)),
        None => by_name(row.names[place]),
    };
    let fighters = [resolve(0)?, resolve(1)?];
    StatsdbBout::from_listing(&row.listed, (event, date), fighters, log)
}

impl ResolvedBouts {
    fn push_bout(&mut self, row: &NamedFighter<'_>, entry: &StatsdbBout<'_>, log: &mut FindingLog) {
        self.entries.push_bout(entry, log);
        self.bouts.push(ResolvedBout {
            fought: entry.to_fought_side(),
            event: row.event.to_owned(),
            names: row.names.map(str::to_owned),
            source_ids: entry.source_ids.clone(),
        });
    }
}

/// The rows of the results file, with their places on the card.
fn read_named_fighters<'a>(facts: &StatsdbFacts<'a>) -> Result<Vec<NamedFighter<'a>>, NormaliseError> {
    let reader: StatsdbResultsReader<'_> = facts.read_table()?;
    let places = if facts.is_of_pages() {
        places_on_cards(facts, reader)?
    } else {
        card_places(reader, &facts.refused_lines(RESULTS_FILE)?)?
    };
    let named = |(row, order): (StatsdbResultsRow<'a>, Option<i32>)| NamedFighter {
        listed: StatsdbListing {
            at: FactPosition { file: row.file, line: row.line },
            source_id: row.bout_source_id,
            outcome: row.outcome,
            weight: row.weight_class_raw,
            method: row.method,
            round: row.round,
            clock_secs: row.clock_secs,
            format: row.time_format,
            referee: row.referee,
            details: row.details,
            order,
        },
        event: row.event,
        names: [row.first_name, row.second_name],
        source_ids: [row.first_source_id, row.second_source_id],
    };
    Ok(reader.all_rows()?.into_iter().zip(places).map(named).collect())
}

/// Place of each bout on its card, 1 first to be fought: the file lists an event's bouts in one block, the main
/// event first. A row that ingest refused keeps its place; where one stands right behind a block, it may be of
/// that event, and the places are not known.
fn card_places(
    reader: StatsdbResultsReader<'_>,
    refused: &BTreeSet<i32>,
) -> Result<Vec<Option<i32>>, NormaliseError> {
    let (lines, events) = (reader.line()?, reader.event()?);
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

/// Place of each bout on its card, where the capture has the event's page: it lists the main event first, and
/// behind it the others, each a line.
fn places_on_cards(
    facts: &StatsdbFacts<'_>,
    results: StatsdbResultsReader<'_>,
) -> Result<Vec<Option<i32>>, NormaliseError> {
    let cards: StatsdbBoutDetailsReader<'_> = facts.read_table()?;
    let (files, lines) = (cards.file()?, cards.line()?);
    let mut last: HashMap<&str, i32> = HashMap::new();
    for (file, line) in files.iter().zip(&lines) {
        if !last.contains_key(file) {
            // A bout that ingest refused keeps its place.
            last.insert(file, facts.refused_lines(file)?.last().copied().unwrap_or_default());
        }
        last.entry(file).and_modify(|last| *last = (*line).max(*last));
    }
    let places = files.iter().zip(lines).map(|(file, line)| last[file] - line + 1);
    let places: HashMap<&str, i32> = cards.bout_source_id()?.into_iter().zip(places).collect();
    Ok(results.bout_source_id()?.into_iter().map(|id| places.get(id).copied()).collect())
}

/// Bout addresses without a result: their pairings cannot be checked, and are known to be wrong at times.
/// `refused` are results that were set aside.
pub(super) fn details_without_result(
    facts: &StatsdbFacts<'_>,
    refused: &HashSet<String>,
    log: &mut FindingLog,
) -> Result<(), NormaliseError> {
    let results: StatsdbResultsReader<'_> = facts.read_table()?;
    let listed: HashSet<&str> = results.bout_source_id()?.into_iter().collect();
    for row in facts.read_table::<StatsdbBoutDetailsReader<'_>>()?.all_rows()? {
        let (at, id) = (FactPosition { file: row.file, line: row.line }, row.bout_source_id);
        if !listed.contains(id) {
            let reason = format!("`{}` has no result: its pairing cannot be checked", row.bout);
            log.set_aside(at, FindingKind::NoResult, Some(id), reason);
        } else if refused.contains(id) {
            log.set_aside(at, FindingKind::UnknownBout, Some(id), "its result was set aside");
        }
    }
    Ok(())
}
