//! Entity resolution across sources: events, bouts and fighters of the schedule, the judging and the notice sources
//! linked to those of the statistics source, or new where it does not have them yet.
//!
//! The registry takes sources in the order in which they are trusted (`history`, then the feed's bouts with ids, its
//! other bouts, the cards). It links events (`events`), bouts (`event_linker`) and fighters (`fighters`, by
//! `name_matcher` and `name_similarity`), and makes new entities for the rest (`new_entities`). `duplicates` merges what
//! stands twice. The judging and the notice sources are only linked (`judging`, `notice`). Then ids are settled (`ids`,
//! `id_remap`), and the tables follow (`listing_history`, `rows`, `changes`, `row_accounting`).
//! `thresholds` says how similar is similar enough.

mod changes;
mod claims;
mod decisions;
mod duplicates;
mod empty_events;
mod error;
mod event_linker;
mod events;
mod fighters;
mod history;
mod id_remap;
mod ids;
mod judging;
mod listing_history;
mod listing_statements;
mod name_matcher;
mod name_similarity;
mod new_entities;
mod notice;
mod published;
mod registry;
mod replacements;
mod row_accounting;
mod rows;
mod schedule;
mod source_names;
mod spelling_variants;
mod stated_start;
mod tables;
#[cfg(test)]
mod tests;
mod thresholds;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_model::Finding;
use fdna_schemas::Tables;
use fdna_schemas::tables::{
    BoutsRow, ContractReader as _, ContractRow as _, CorrectionsRow, EventsRow, FightersRow, IdentitiesRow,
    JudgingBoutsRow, NoticeBoutsRow, QuarantineRow, ResultsReader, ResultsRow, ScheduleEventsRow,
    ScorecardsReader, ScorecardsRow,
};
use uuid::Uuid;

pub use self::decisions::{DecisionError, LinkDecisions};
pub use self::error::IdentityError;
pub use self::id_remap::IdRemap;
use self::judging::JudgingSource;
use self::listing_statements::LinkedEntities;
use self::notice::NoticeSource;
pub use self::published::{IdChange, PublishedAlias, PublishedIds, PublishedLink, kind_named};
use self::registry::{EntityRegistry, LinkedBout};
use self::rows::LinkedRows;
use self::schedule::{ClaimedBout, ScheduleCaptures};
use self::source_names::{CARDS, FEED};
use self::stated_start::day_in_america;
use fdna_rows::{CaptureFacts, RowsError, TableCount, TableSet, quarantine, quarantine_of_all, sorted_batch};

/// Input of entity resolution.
pub struct EntityResolution<'a> {
    /// Tables of the statistics source alone: at least those of [`HISTORY_TABLES`].
    pub history: &'a TableSet,
    /// Captures of the schedule, judging and notice sources.
    pub captures: Vec<CaptureFacts>,
    /// Every id that was published: what was given once stays.
    pub published: PublishedIds,
    /// Decisions of people.
    pub decisions: LinkDecisions,
}

/// The linked tables.
#[derive(Debug)]
pub struct LinkedTables<'a> {
    /// Those of the history and those that linking adds, by contract name, each sorted by its key.
    pub tables: Vec<(String, RecordBatch)>,
    pub counts: Vec<TableCount>,
    /// Remarks for a person.
    pub remarks: Vec<String>,
    /// For tables that were not in the history that was given: what has to be changed in them.
    pub ids: IdRemap<'a>,
}

/// Tables of the statistics source that linking reads.
pub const HISTORY_TABLES: [&str; 8] = [
    BoutsRow::TABLE,
    CorrectionsRow::TABLE,
    EventsRow::TABLE,
    FightersRow::TABLE,
    IdentitiesRow::TABLE,
    QuarantineRow::TABLE,
    ResultsRow::TABLE,
    ScorecardsRow::TABLE,
];

/// Links all sources.
///
/// # Errors
/// A table is missing or does not follow its contract, or a decision cannot be followed. Bad rows are findings in
/// `quarantine`.
pub fn link_sources(linking: EntityResolution<'_>) -> Result<LinkedTables<'_>, IdentityError> {
    let EntityResolution { history, mut captures, published, decisions } = linking;
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let mut registry = EntityRegistry::new(published, decisions);
    let judging_captures = captures_with_table(&captures, JudgingBoutsRow::TABLE);
    let scheduled = captures_with_table(&captures, ScheduleEventsRow::TABLE);
    let read_schedule = || ScheduleCaptures::read_captures(&scheduled);
    let read_judging = || JudgingSource::read_captures(&judging_captures);
    let (added, (schedule, judging)) =
        rayon::join(|| registry.add_history(history), || rayon::join(read_schedule, read_judging));
    added?;
    let (schedule, mut judging) = (schedule?, judging?);
    let mut entities = link_schedule(&mut registry, &schedule);
    entities.rename_entities(&registry.merge_duplicates());
    judging.link_captures(&judging_captures, &mut registry);
    let mut notice =
        NoticeSource::link_captures(&captures_with_table(&captures, NoticeBoutsRow::TABLE), &mut registry)?;
    let settled = registry.settle_ids();
    entities.rename_entities(&settled.renamed);
    judging.rename_entities(&settled.renamed);
    notice.rename_entities(&settled.renamed);
    registry.check_decisions()?;
    let ids = IdRemap::new(history, settled.renamed)?;
    let results = ids.remapped_batch(ResultsRow::TABLE)?;
    let results = ResultsReader::of(&results);
    let (linked, judged) = rayon::join(
        || -> Result<_, IdentityError> {
            let mut tables = schedule_tables(&registry, &schedule, &entities, &ids, results)?;
            tables.extend(registry.link_tables(&settled.aliases)?);
            Ok(tables)
        },
        || -> Result<_, IdentityError> {
            let cards = ids.remapped_batch(ScorecardsRow::TABLE)?;
            let judging_rows = judging.resolve_rows(
                ScorecardsReader::of(&cards),
                results,
                registry.decisions.judge_decisions(),
            )?;
            let mut accounting = judging_rows.merge_with(notice.resolve_rows()?);
            Ok((accounting.build_tables()?, accounting))
        },
    );
    let (mut tables, (judging_tables, accounting)) = (linked?, judged?);
    tables.extend(judging_tables);
    notice::add_short_notices(&mut tables)?;
    let empty = empty_events::empty_event_findings(&tables)?;
    let remarks = empty.iter().map(|(_, finding)| finding.reason.clone()).collect();
    let findings = schedule.findings.iter().cloned().chain(accounting.findings).chain(empty).collect();
    tables.push(set_aside(&captures, &ids, findings)?);
    add_other_tables(&mut tables, history, &ids)?;
    // To free a million small values takes as long as to write a table: the caller does not wait for it.
    rayon::spawn(move || drop((captures, registry)));
    let counts = schedule.counts.into_iter().chain(accounting.counts).collect();
    Ok(LinkedTables { tables, counts, remarks, ids })
}

/// Adds the tables of the statistics source that nothing was linked to, and puts all in the order of their names.
fn add_other_tables(
    tables: &mut Vec<(String, RecordBatch)>,
    history: &TableSet,
    ids: &IdRemap<'_>,
) -> Result<(), IdentityError> {
    let there: BTreeSet<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    for (name, batch) in history.0.iter().filter(|(name, _)| !there.contains(*name)) {
        tables.push((name.clone(), ids.remap_table(name, batch)?));
    }
    tables.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(())
}

/// Captures that have this facts table: what a source tells of shows in its tables.
fn captures_with_table<'a>(captures: &'a [CaptureFacts], table: &str) -> Vec<&'a CaptureFacts> {
    captures.iter().filter(|capture| capture.tables.contains_key(table)).collect()
}

/// The feed's bouts with ids of their own before those without, and the feed before the cards.
fn link_schedule(registry: &mut EntityRegistry, schedule: &ScheduleCaptures) -> LinkedEntities {
    let mut entities =
        LinkedEntities { events: vec![None; schedule.events.len()], bouts: vec![None; schedule.bouts.len()] };
    let has_ids =
        |bout: &ClaimedBout| bout.source_id.is_some() && bout.fighters.iter().all(|(id, _)| id.is_some());
    type Wanted<'a> = &'a dyn Fn(&ClaimedBout) -> bool;
    let wanted: [(&str, Wanted<'_>); 3] =
        [(FEED, &has_ids), (FEED, &|bout| !has_ids(bout)), (CARDS, &|_| true)];
    for (space, is_wanted) in wanted {
        let (claims, places) = schedule.event_claims(space, is_wanted);
        let linked = registry.link_or_create(&claims);
        for ((event, bouts), (of_event, of_bouts)) in places.into_iter().zip(linked) {
            entities.events[event] = of_event;
            bouts.into_iter().zip(of_bouts).for_each(|(bout, linked)| entities.bouts[bout] = linked);
        }
    }
    entities
}

impl LinkedEntities {
    fn rename_entities(&mut self, renamed: &std::collections::HashMap<Uuid, Uuid>) {
        let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
        self.events.iter_mut().for_each(|event| *event = event.map(new));
        for linked in self.bouts.iter_mut().flatten() {
            let LinkedBout { event, bout, fighters } = *linked;
            *linked = LinkedBout { event: new(event), bout: new(bout), fighters: fighters.map(new) };
        }
    }
}

/// Events, bouts, fighters, their listings and corrections.
fn schedule_tables(
    registry: &EntityRegistry,
    schedule: &ScheduleCaptures,
    entities: &LinkedEntities,
    renamed: &IdRemap<'_>,
    results: ResultsReader<'_>,
) -> Result<Vec<(String, RecordBatch)>, RowsError> {
    let women = registry.women_fighters();
    let listings = listing_statements::read_statements(schedule, entities, &women);
    let results: BTreeSet<Uuid> = results.bout_id()?.into_iter().collect();
    let mut over = results.clone();
    let events_with_results = over.iter().filter_map(|id| Some(registry.bouts.get(id)?.event)).collect();
    let claims = schedule.bouts.iter().zip(&entities.bouts).filter(|(claim, _)| claim.is_over);
    over.extend(claims.filter_map(|(_, linked)| Some((*linked)?.bout)));
    let none = BTreeMap::new();
    let made = LinkedRows {
        registry,
        schedule,
        entities,
        listings: &listings,
        women: &women,
        results: &results,
        over: &over,
        told: &events_with_results,
        last_stated_day: last_stated_day(registry, schedule, &events_with_results),
        replacements: &none,
    };
    let replacements = replacements::find_replacements(registry, &listings, |bout| made.is_off(bout));
    let made = LinkedRows { replacements: &replacements, ..made };
    let contract = |name| Tables::get().table(name);
    let (entities, changes) = rayon::join(
        || -> Result<_, RowsError> {
            let events = made.event_rows(contract("events")?, renamed.remapped_rows("events")?);
            let of_events = rows::bouts::of_events(&events);
            Ok([
                sorted_batch("events", events)?,
                sorted_batch(
                    "bouts",
                    made.bout_rows(contract("bouts")?, renamed.remapped_rows("bouts")?, &of_events),
                )?,
                sorted_batch(
                    "fighters",
                    made.fighter_rows(contract("fighters")?, renamed.remapped_rows("fighters")?),
                )?,
            ])
        },
        || -> Result<_, RowsError> {
            let mut corrections = renamed.remapped_rows("corrections")?;
            corrections.extend(changes::correction_rows(&listings, &replacements, registry));
            Ok([
                sorted_batch("event_listings", changes::event_rows(&listings))?,
                sorted_batch("bout_listings", changes::bout_rows(registry, &listings))?,
                sorted_batch("corrections", corrections)?,
            ])
        },
    );
    Ok(entities?.into_iter().chain(changes?).collect())
}

/// The day of the newest capture of the schedule or of the newest result, whichever is later.
fn last_stated_day(
    registry: &EntityRegistry,
    schedule: &ScheduleCaptures,
    told: &BTreeSet<Uuid>,
) -> Option<NaiveDate> {
    let captured = schedule.listings.iter().map(|listing| day_in_america(listing.seen.at));
    let fought = told.iter().filter_map(|id| Some(registry.events.get(id)?.day));
    captured.chain(fought).max()
}

/// The statistics source's rows, and those of these captures behind them.
fn set_aside(
    captures: &[CaptureFacts],
    renamed: &IdRemap<'_>,
    findings: Vec<(String, Finding)>,
) -> Result<(String, RecordBatch), RowsError> {
    let mut found: BTreeMap<String, Vec<_>> =
        captures.iter().map(|capture| (capture.capture.clone(), Vec::new())).collect();
    for (capture, finding) in findings {
        found.entry(capture.clone()).or_default().push((capture, "normalise", finding));
    }
    quarantine::append_rows(renamed.remapped_rows("quarantine")?, &quarantine_of_all(captures, found)?)
}
