//! One capture of the layout keyed by ids: nothing is tied by name, so what a row names is there or it is not.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::NaiveDate;
use fdna_model::{EventId, FighterId, FindingKind, Stance};
use fdna_rows::PackedRow;
use fdna_schemas::tables::{
    StatsdbIdsBoutsReader, StatsdbIdsBoutsRow, StatsdbIdsEventsReader, StatsdbIdsFighterHistoriesReader,
    StatsdbIdsFightersReader, StatsdbIdsFightersRow, StatsdbIdsRoundStatsReader,
};

use super::bout_rows::{RefusedBout, StatsdbBout, StatsdbBouts, StatsdbListing};
use super::capture_facts::{FactPosition, FindingLog, ResolvedCapture, SOURCE, StatsdbFacts};
use super::fighters::ResolvedFighter;
use super::gates::{self, FoughtSide, StatLine, StatSides};
use super::scorecards::{self, CardJudges};
use super::{events, fighters};
use crate::counts::round_counts;
use crate::error::NormaliseError;

/// The rule that ties rows of this layout: the capture states the source id.
const RULE: &str = "source_id";

type SourceEvents = HashMap<String, (EventId, NaiveDate)>;

pub(super) fn resolve_ids(
    facts: &StatsdbFacts<'_>,
    captured_on: NaiveDate,
) -> Result<ResolvedCapture, NormaliseError> {
    let mut log = FindingLog::default();
    let (event_rows, events) = read_events(facts, captured_on)?;
    let fighters = read_fighters(facts)?;
    let known: HashSet<&str> = fighters.keys().copied().collect();
    let (entries, bouts) = read_bouts(facts, &events, &known, &mut log)?;
    let rounds = read_rounds(facts, &bouts, &mut log)?;
    check_histories(facts, &bouts, &mut log)?;
    let counts = log.count_tables(facts)?;
    let tables = BTreeMap::from([
        ("events", event_rows),
        ("fighters", fighters::fighter_rows(fighters)),
        ("bouts", entries.bouts),
        ("results", entries.results),
        ("scorecards", entries.scorecards),
        ("round_stats", rounds),
    ]);
    Ok(ResolvedCapture { tables, findings: log.findings, counts, unchanged: BTreeMap::new() })
}

fn read_events(
    facts: &StatsdbFacts<'_>,
    captured_on: NaiveDate,
) -> Result<(Vec<PackedRow>, SourceEvents), NormaliseError> {
    let bouts: StatsdbIdsBoutsReader<'_> = facts.read_table()?;
    let with_bouts: HashSet<&str> = bouts.event_source_id()?.into_iter().collect();
    let (mut rows, mut known) = (Vec::new(), SourceEvents::new());
    for row in facts.read_table::<StatsdbIdsEventsReader<'_>>()?.all_rows()? {
        let (source_id, date) = (row.event_source_id, row.event_date);
        let listed = events::ListedEvent {
            source_id,
            name: row.event,
            date,
            location: row.location,
            is_past: with_bouts.contains(source_id) || date < captured_on,
            is_ufc: Some(row.is_ufc),
        };
        known.insert(source_id.to_owned(), (EventId::of(SOURCE, source_id), date));
        rows.push(listed.to_row());
    }
    Ok((rows, known))
}

fn read_fighters<'a>(
    facts: &StatsdbFacts<'a>,
) -> Result<BTreeMap<&'a str, ResolvedFighter<'a>>, NormaliseError> {
    let fighter = |row: StatsdbIdsFightersRow<'a>| ResolvedFighter {
        name: row.name,
        nickname: row.nickname,
        born: row.date_of_birth,
        height: row.height_in,
        reach: row.reach_in,
        weight: None,
        stance: row.stance.and_then(Stance::parse),
    };
    let rows = facts.read_table::<StatsdbIdsFightersReader<'_>>()?.all_rows()?;
    Ok(rows.into_iter().map(|row| (row.fighter_source_id, fighter(row))).collect())
}

/// A bout by its source id, with the source ids of its fighters in the order of [`FoughtSide::fighters`].
struct SourceBout {
    fought: FoughtSide,
    source_ids: [String; 2],
}

type SourceBouts = HashMap<String, SourceBout>;

fn read_bouts(
    facts: &StatsdbFacts<'_>,
    events: &SourceEvents,
    fighters: &HashSet<&str>,
    log: &mut FindingLog,
) -> Result<(StatsdbBouts, SourceBouts), NormaliseError> {
    let rows = read_listed(facts)?;
    let mut judges = CardJudges::default();
    let details = rows.iter().filter_map(|row| row.listed.details);
    details.for_each(|details| judges.learn_judges(&scorecards::parse_cards(details)));
    let mut entries = StatsdbBouts::new(judges);
    let mut bouts = SourceBouts::new();
    for row in &rows {
        let entry = resolve_entry(row, events, fighters, log)
            .and_then(|entry| row.check_fought_time(&entry).map(|()| entry));
        match entry {
            Ok(entry) => {
                entries.push_bout(&entry, log);
                let (fought, source_ids) = (entry.to_fought_side(), entry.source_ids);
                bouts.insert(fought.source_id.clone(), SourceBout { fought, source_ids });
            }
            Err((kind, reason)) => log.set_aside(row.listed.at, kind, Some(row.listed.source_id), reason),
        }
    }
    Ok((entries, bouts))
}

/// One row of the bouts.
struct SourceIdIndex<'a> {
    listed: StatsdbListing<'a>,
    event: &'a str,
    corners: [&'a str; 2],
    total_secs: i32,
}

impl SourceIdIndex<'_> {
    /// The layout states the fought time as well: it must be what the format gives.
    fn check_fought_time(&self, entry: &StatsdbBout<'_>) -> Result<(), RefusedBout> {
        match entry.to_fought_side().total_secs() {
            Some(secs) if secs != self.total_secs => {
                let reason = format!("{} s stated, {secs} s by round, clock and format", self.total_secs);
                Err((FindingKind::Contradiction, reason))
            }
            _ => Ok(()),
        }
    }
}

fn read_listed<'a>(facts: &StatsdbFacts<'a>) -> Result<Vec<SourceIdIndex<'a>>, NormaliseError> {
    let by_id = |row: StatsdbIdsBoutsRow<'a>| SourceIdIndex {
        listed: StatsdbListing {
            at: FactPosition { file: row.file, line: row.line },
            source_id: row.bout_source_id,
            outcome: row.outcome,
            weight: row.weight_class_raw,
            method: row.method,
            round: row.round,
            clock_secs: row.clock_secs,
            format: row.time_format,
            referee: None,
            details: row.details,
            order: Some(row.bout_order),
        },
        event: row.event_source_id,
        corners: [row.red_source_id, row.blue_source_id],
        total_secs: row.total_secs,
    };
    let rows = facts.read_table::<StatsdbIdsBoutsReader<'_>>()?.all_rows()?;
    Ok(rows.into_iter().map(by_id).collect())
}

fn resolve_entry<'a>(
    row: &'a SourceIdIndex<'a>,
    events: &SourceEvents,
    fighters: &HashSet<&str>,
    log: &mut FindingLog,
) -> Result<StatsdbBout<'a>, RefusedBout> {
    let event = events.get(row.event);
    let event = event.ok_or_else(|| (FindingKind::UnknownEvent, format!("no event has id {}", row.event)))?;
    if let Some(unknown) = row.corners.iter().find(|id| !fighters.contains(**id)) {
        return Err((FindingKind::UnknownFighter, format!("no fighter has id {unknown}")));
    }
    StatsdbBout::from_listing(&row.listed, *event, row.corners.map(|id| (id.to_owned(), RULE)), log)
}

fn read_rounds(
    facts: &StatsdbFacts<'_>,
    bouts: &SourceBouts,
    log: &mut FindingLog,
) -> Result<Vec<PackedRow>, NormaliseError> {
    let reader: StatsdbIdsRoundStatsReader<'_> = facts.read_table()?;
    let (files, lines) = (reader.file()?, reader.line()?);
    let (ids, fighters) = (reader.bout_source_id()?, reader.fighter_source_id()?);
    let (rounds, secs) = (reader.round()?, reader.round_secs()?);
    let counts = round_counts(&reader.by_name())?;
    let mut of_bout: BTreeMap<&str, Vec<(&str, i32, StatLine<'_>)>> = BTreeMap::new();
    for i in 0..reader.len() {
        let line = StatLine {
            at: FactPosition { file: files[i], line: lines[i] },
            round: rounds[i],
            counts: &counts[i],
        };
        of_bout.entry(ids[i]).or_default().push((fighters[i], secs[i], line));
    }
    let mut rows = Vec::new();
    for (id, lines) in of_bout {
        match bouts.get(id).map(|bout| checked_rows(bout, &lines)) {
            Some(Ok(checked)) => rows.extend(checked),
            Some(Err((kind, reason))) => set_aside(&lines, kind, id, &reason, log),
            None => set_aside(&lines, FindingKind::UnknownBout, id, "no bout has this id", log),
        }
    }
    Ok(rows)
}

fn set_aside(
    lines: &[(&str, i32, StatLine<'_>)],
    kind: FindingKind,
    id: &str,
    reason: &str,
    log: &mut FindingLog,
) {
    lines.iter().for_each(|(_, _, line)| log.set_aside(line.at, kind, Some(id), reason));
}

/// The rows of one bout if each is of one of its fighters, lasted what the result says, and passes every gate.
fn checked_rows(
    bout: &SourceBout,
    lines: &[(&str, i32, StatLine<'_>)],
) -> Result<Vec<PackedRow>, RefusedBout> {
    let mut sides = StatSides::new();
    for (fighter, secs, line) in lines {
        if !bout.source_ids.iter().any(|id| id == fighter) {
            let reason = format!("line {} is of {fighter}, who is not in the bout", line.at.line);
            return Err((FindingKind::UnknownFighter, reason));
        }
        if let Some(fought) = bout.fought.round_secs(line.round).filter(|fought| fought != secs) {
            let reason =
                format!("line {}: {secs} s of a round that the result gives {fought} s", line.at.line);
            return Err((FindingKind::Contradiction, reason));
        }
        sides.insert((line.round, FighterId::of(SOURCE, fighter)), line);
    }
    gates::gated_rows(&bout.fought, &sides, RULE)
}

/// The fighters' histories say again who met whom: they become no rows, and must not say otherwise.
fn check_histories(
    facts: &StatsdbFacts<'_>,
    bouts: &SourceBouts,
    log: &mut FindingLog,
) -> Result<(), NormaliseError> {
    for row in facts.read_table::<StatsdbIdsFighterHistoriesReader<'_>>()?.all_rows()? {
        let (at, id) = (FactPosition { file: row.file, line: row.line }, row.bout_source_id);
        let pair = [row.fighter_source_id, row.opponent_source_id];
        match bouts.get(id) {
            None => log.set_aside(at, FindingKind::UnknownBout, Some(id), "no bout has this id"),
            Some(bout) if !is_pair(&bout.source_ids, pair) => {
                let reason = format!("the bout is not of {} and {}", pair[0], pair[1]);
                log.set_aside(at, FindingKind::Contradiction, Some(id), reason);
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn is_pair(fighters: &[String; 2], pair: [&str; 2]) -> bool {
    let [first, second] = [fighters[0].as_str(), fighters[1].as_str()];
    pair == [first, second] || pair == [second, first]
}
