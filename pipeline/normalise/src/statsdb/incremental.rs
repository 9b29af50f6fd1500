//! Incremental resolution of the six-file layout: re-resolves only events whose rows, fighter names or judges changed
//! since the previous capture.
//!
//! What an event becomes rests on its own rows in events, results and rounds; on the fighters who have a name that
//! these rows have, however spelt; and on the judges that the capture knows, by the beginnings that are glued to
//! them. Two kinds of event are resolved every time: those with findings, which tell lines, and those with names
//! that other events' rows gave away.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::NaiveDate;
use fdna_model::fold_name;
use fdna_rows::{CaptureFacts, CellValue};
use fdna_schemas::tables::{
    ContractRow as _, StatsdbBoutDetailsRow, StatsdbResultsReader, StatsdbResultsRow,
    StatsdbRoundStatsReader, StatsdbRoundStatsRow,
};

use super::capture_facts::{FindingLog, ResolvedCapture, StatsdbFacts};
use super::fighters::{self, ListedFighter};
use super::names::{FighterProfile, NameResolver};
use super::scorecards::{self, CardJudges};
use super::units::{self, PreparedUnit};
use super::{bouts, events, rounds};
use crate::error::NormaliseError;
use crate::merge_table::GivenRow;
use serde::{Deserialize, Serialize};

/// State of the previous capture.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct PreviousCapture {
    pub(super) units: BTreeMap<String, EventState>,
    pub(super) fighters: BTreeMap<String, FighterState>,
    /// How often each judge's name stands on a card that makes it known.
    #[serde(skip)]
    judges: BTreeMap<String, usize>,
    #[serde(skip)]
    names: NameResolver,
    /// Events that were resolved last, by bout; and the fighters, in the order of their rows.
    #[serde(skip)]
    resolved: BTreeMap<CellValue, String>,
    #[serde(skip)]
    listed: Vec<String>,
}

impl PreviousCapture {
    /// Makes anew what is not kept between runs.
    pub(crate) fn rebuild_indexes(&mut self) {
        for (id, fighter) in &self.fighters {
            if let Some((name, profile)) = &fighter.tape {
                self.names.add_tape(id, name, profile.clone());
            }
            if let Some(name) = &fighter.index {
                self.names.add_index(id, name);
            }
        }
        for judge in self.units.values().flat_map(|known| &known.judges) {
            *self.judges.entry(judge.clone()).or_default() += 1;
        }
    }
}

/// An event of the capture before.
#[derive(Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct EventState {
    pub(super) digest: u64,
    /// To be resolved every time.
    pub(super) is_open: bool,
    /// Names in its rows, folded.
    pub(super) names: Vec<String>,
    /// Judges that its cards make known.
    pub(super) judges: Vec<String>,
    /// Labels before the points on its cards.
    pub(super) labels: Vec<String>,
    /// Places of its rows in the tables of bouts.
    pub(super) rows: BTreeMap<String, Vec<usize>>,
}

/// A fighter of the capture before.
#[derive(Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct FighterState {
    pub(super) digest: u64,
    pub(super) index: Option<String>,
    pub(super) tape: Option<(String, FighterProfile)>,
    /// Place of his row.
    pub(super) row: usize,
}

/// Tables whose rows are of one bout.
const OF_BOUT: [&str; 4] = ["bouts", "results", "scorecards", "round_stats"];

pub(super) fn resolve_incrementally(
    prepared: &PreparedUnit,
    previous: &mut PreviousCapture,
    captured_on: NaiveDate,
) -> Result<ResolvedCapture, NormaliseError> {
    let facts = StatsdbFacts { capture: &prepared.facts };
    let mut log = FindingLog::default();
    let events = events::resolve_events(&facts, captured_on, &mut log)?;
    let changed = previous.update_fighters(&fighters::read_listed_fighters(&facts)?);
    let stale = previous.stale_events(prepared, &changed.names, &facts)?;
    let some = some_events(prepared, &stale)?;
    let of_some = StatsdbFacts { capture: &some };
    let judges = CardJudges::from_names(previous.judges.keys().cloned());
    let bouts = bouts::resolve_bouts(&of_some, &events, &previous.names, judges, &mut log)?;
    let rounds = rounds::resolve_rounds(&of_some, &bouts, &previous.names, &mut log)?;
    previous.remember_events(&of_some, &bouts, &rounds.renamed, &log)?;
    let unchanged = previous.unchanged_rows(&stale, &changed);
    bouts::details_without_result(&facts, &bouts.refused, &mut log)?;
    let counts = log.count_tables(&facts)?;
    let tables = BTreeMap::from([
        ("events", events.rows),
        ("fighters", changed.rows),
        ("bouts", bouts.entries.bouts),
        ("results", bouts.entries.results),
        ("scorecards", bouts.entries.scorecards),
        ("round_stats", rounds.rows),
    ]);
    Ok(ResolvedCapture { tables, findings: log.findings, counts, unchanged })
}

/// The capture with the results and rounds of these events alone.
fn some_events(prepared: &PreparedUnit, events: &BTreeSet<String>) -> Result<CaptureFacts, NormaliseError> {
    let facts = &prepared.facts;
    let units = || events.iter().filter_map(|event| prepared.units.get(event));
    let sorted = |mut rows: Vec<u32>| {
        rows.sort_unstable();
        rows
    };
    let results = sorted(units().flat_map(|unit| unit.results.iter().copied()).collect());
    let rounds = sorted(units().flat_map(|unit| unit.rounds.iter().copied()).collect());
    let mut tables = BTreeMap::new();
    if let Some(cards) = facts.tables.get(StatsdbBoutDetailsRow::TABLE) {
        tables.insert(StatsdbBoutDetailsRow::TABLE.to_owned(), cards.clone());
    }
    for (table, rows) in [(StatsdbResultsRow::TABLE, results), (StatsdbRoundStatsRow::TABLE, rounds)] {
        let Some(batch) = facts.tables.get(table) else { continue };
        let is_complete = rows.len() == batch.num_rows();
        tables.insert(
            table.to_owned(),
            if is_complete { batch.clone() } else { units::take_rows(batch, rows)? },
        );
    }
    Ok(CaptureFacts {
        source: facts.source.clone(),
        capture: facts.capture.clone(),
        captured_at: facts.captured_at,
        tables,
        set_aside: facts.set_aside.clone(),
    })
}

/// Fighters that are not as they were.
struct ChangedEvents {
    /// Rows of those that are new or other, as [`PreviousCapture::listed`] names them.
    rows: Vec<fdna_rows::PackedRow>,
    ids: HashSet<String>,
    /// Names that they have or had, folded.
    names: HashSet<String>,
}

impl PreviousCapture {
    /// Takes in the fighters of a capture.
    fn update_fighters(&mut self, listed: &BTreeMap<&str, ListedFighter<'_>>) -> ChangedEvents {
        let mut changed = ChangedEvents { rows: Vec::new(), ids: HashSet::new(), names: HashSet::new() };
        let gone = self.fighters.keys().filter(|id| !listed.contains_key(id.as_str()));
        for id in gone.cloned().collect::<Vec<_>>() {
            self.forget_fighter(&id, &mut changed.names);
        }
        let mut rows = BTreeMap::new();
        for (id, listed) in listed {
            let digest = listed.digest();
            if self.fighters.get(*id).is_some_and(|known| known.digest == digest) {
                continue;
            }
            self.forget_fighter(id, &mut changed.names);
            self.learn_fighter(id, listed, digest, &mut changed.names);
            changed.ids.insert((*id).to_owned());
            rows.insert(*id, listed.fighter.clone());
        }
        self.listed = rows.keys().map(|id| (*id).to_owned()).collect();
        changed.rows = fighters::fighter_rows(rows);
        changed
    }

    fn forget_fighter(&mut self, id: &str, names: &mut HashSet<String>) {
        let Some(known) = self.fighters.remove(id) else { return };
        let tape = known.tape.as_ref().map(|(name, _)| name.as_str());
        self.names.remove_fighter(id, known.index.as_deref(), tape);
        names.extend(known.index.as_deref().into_iter().chain(tape).map(fold_name));
    }

    fn learn_fighter(
        &mut self,
        id: &str,
        listed: &ListedFighter<'_>,
        digest: u64,
        names: &mut HashSet<String>,
    ) {
        if let Some((name, profile)) = &listed.tape {
            self.names.add_tape(id, name, profile.clone());
            names.insert(fold_name(name));
        }
        if let Some(name) = listed.index {
            self.names.add_index(id, name);
            names.insert(fold_name(name));
        }
        let tape = listed.tape.as_ref().map(|(name, profile)| ((*name).to_owned(), profile.clone()));
        let index = listed.index.map(str::to_owned);
        self.fighters.insert(id.to_owned(), FighterState { digest, index, tape, row: usize::MAX });
    }

    /// Events that are to be resolved, and takes in the judges of those whose rows are other.
    fn stale_events(
        &mut self,
        prepared: &PreparedUnit,
        names: &HashSet<String>,
        facts: &StatsdbFacts<'_>,
    ) -> Result<BTreeSet<String>, NormaliseError> {
        let gone = self.units.keys().filter(|event| !prepared.units.contains_key(*event));
        let gone: Vec<String> = gone.cloned().collect();
        let mut before = BTreeMap::new();
        let mut stale = BTreeSet::new();
        let details = facts.read_table::<StatsdbResultsReader<'_>>()?.details()?;
        for event in gone {
            let known = self.units.remove(&event).unwrap_or_default();
            self.count_judges(&known.judges, false, &mut before);
        }
        for (event, unit) in &prepared.units {
            let known = self.units.get(event);
            let is_same = known.is_some_and(|known| known.digest == unit.digest);
            if !is_same {
                let known = self.units.remove(event).unwrap_or_default();
                self.count_judges(&known.judges, false, &mut before);
                let rows = unit
                    .results
                    .iter()
                    .filter_map(|row| details.get(usize::try_from(*row).ok()?).copied().flatten());
                let known = EventState { digest: unit.digest, ..EventState::with_cards(rows) };
                self.count_judges(&known.judges, true, &mut before);
                self.units.insert(event.clone(), known);
                stale.insert(event.clone());
            } else if known
                .is_some_and(|known| known.is_open || known.names.iter().any(|n| names.contains(n)))
            {
                stale.insert(event.clone());
            }
        }
        let is_there = |judge: &String| self.judges.contains_key(judge);
        let changed =
            before.into_iter().filter(|(judge, was)| is_there(judge) != *was).map(|(judge, _)| judge);
        let changed: Vec<String> = changed.collect();
        let is_touched = |label: &String| changed.iter().any(|judge| label.ends_with(judge.as_str()));
        let touched = self.units.iter().filter(|(_, known)| known.labels.iter().any(is_touched));
        stale.extend(touched.map(|(event, _)| event.clone()));
        Ok(stale)
    }

    /// Counts judges in or out; `before` keeps whether each was known at first.
    fn count_judges(&mut self, judges: &[String], is_in: bool, before: &mut BTreeMap<String, bool>) {
        for judge in judges {
            let count = self.judges.entry(judge.clone()).or_default();
            before.entry(judge.clone()).or_insert(*count > 0);
            *count = if is_in { *count + 1 } else { count.saturating_sub(1) };
            if *count == 0 {
                self.judges.remove(judge);
            }
        }
    }

    /// Keeps of the events that were resolved what tells when they are to be resolved again.
    fn remember_events(
        &mut self,
        facts: &StatsdbFacts<'_>,
        bouts: &bouts::ResolvedBouts,
        renamed: &BTreeSet<String>,
        log: &FindingLog,
    ) -> Result<(), NormaliseError> {
        let results: StatsdbResultsReader<'_> = facts.read_table()?;
        let rounds: StatsdbRoundStatsReader<'_> = facts.read_table()?;
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut open: BTreeSet<&str> = renamed.iter().map(String::as_str).collect();
        let found: HashSet<(&str, i32)> = log.findings.iter().map(|f| (f.file.as_str(), f.line)).collect();
        // Column by column: whole rows of all rounds take as much room as the facts.
        for (events, places, of_rows) in [
            (
                results.event()?,
                (results.file()?, results.line()?),
                vec![results.first_name()?, results.second_name()?],
            ),
            (
                rounds.event()?,
                (rounds.file()?, rounds.line()?),
                vec![rounds.first_name()?, rounds.second_name()?, rounds.fighter_name()?],
            ),
        ] {
            for (row, event) in events.into_iter().enumerate() {
                names.entry(event).or_default().extend(of_rows.iter().map(|of_row| of_row[row]));
                open.extend(found.contains(&(places.0[row], places.1[row])).then_some(event));
            }
        }
        for (event, names) in names {
            if let Some(known) = self.units.get_mut(event) {
                known.is_open = open.contains(event);
                known.names = names.into_iter().map(fold_name).collect();
                known.rows.clear();
            }
        }
        let of_bout = bouts.bouts.iter().map(|bout| (CellValue::from(bout.fought.id.0), bout.event.clone()));
        self.resolved = of_bout.collect();
        Ok(())
    }

    /// Places of the rows that stand as they were.
    fn unchanged_rows(
        &self,
        stale: &BTreeSet<String>,
        changed: &ChangedEvents,
    ) -> BTreeMap<&'static str, Vec<usize>> {
        let fighters = self.fighters.iter().filter(|(id, _)| !changed.ids.contains(*id));
        let mut unchanged = BTreeMap::from([("fighters", fighters.map(|(_, known)| known.row).collect())]);
        let clean = || self.units.iter().filter(|(event, _)| !stale.contains(*event));
        for table in OF_BOUT {
            let places = clean().filter_map(|(_, known)| known.rows.get(table)).flatten();
            unchanged.insert(table, places.copied().collect());
        }
        unchanged
    }

    /// Records the new places of the rows that were resolved.
    pub(crate) fn record_places(&mut self, given: &GivenRow) {
        for (id, (_, place)) in self.listed.iter().zip(given.get("fighters").into_iter().flatten()) {
            if let Some(known) = self.fighters.get_mut(id) {
                known.row = *place;
            }
        }
        for table in OF_BOUT {
            for (bout, place) in given.get(table).into_iter().flatten() {
                let unit = self.resolved.get(bout).and_then(|event| self.units.get_mut(event));
                if let Some(unit) = unit {
                    unit.rows.entry(table.to_owned()).or_default().push(*place);
                }
            }
        }
    }
}

impl EventState {
    fn with_cards<'a>(details: impl Iterator<Item = &'a str>) -> Self {
        let (mut judges, mut labels) = (Vec::new(), BTreeSet::new());
        for details in details {
            let cards = scorecards::parse_cards(details);
            judges.extend(CardJudges::judges_in(&cards));
            labels.extend(cards.into_iter().map(|card| card.label));
        }
        Self { judges, labels: labels.into_iter().collect(), ..Self::default() }
    }
}
