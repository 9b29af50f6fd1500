//! Who is who across sources: events, bouts and fighters of the schedule, the judging and the notice sources
//! tied to those of the statistics source, or, where it does not know them yet, standing for themselves.
//!
//! Sources are told to a registry in the order in which they are believed (`history`, then the feed's bouts with ids,
//! its other bouts, the cards). It links events (`events`), bouts (`matching`) and fighters (`fighters`), and what
//! nobody has is made (`create`). What stands twice is made one (`duplicates`). What the judging and the notice sources
//! tell of is only linked (`judging`, `notice`). Then ids are settled (`ids`), and the tables follow (`listings`, `rows`,
//! `changes`, `ledger`).

mod changes;
mod claims;
mod create;
mod decisions;
mod duplicates;
mod events;
mod fighters;
mod history;
mod ids;
mod judging;
mod ledger;
mod listings;
mod matching;
mod named;
mod names;
mod notice;
mod published;
mod registry;
mod renamed;
mod replaced;
mod rows;
mod schedule;
mod tables;
#[cfg(test)]
mod tests;
mod told;
mod twins;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_model::Finding;
use fdna_schemas::{TableReader, Tables};
use uuid::Uuid;

pub use self::decisions::{DecisionError, Decisions};
use self::judging::Judging;
use self::notice::Notice;
pub use self::published::{IdChange, PublishedAlias, PublishedIds, PublishedLink, kind_named};
use self::registry::{Linked, Registry};
use self::renamed::Renamed;
use self::rows::Made;
use self::schedule::{ClaimedBout, Schedule, day_of};
use self::told::Entities;
use crate::layout::{Row, to_batch};
use crate::tables::{TableSet, sorted_batch};
use crate::{CaptureFacts, NormaliseError, Normalised, quarantine, quarantine_of_all};

/// Names of sources in ids.
const STATSDB: &str = "statsdb";
const FEED: &str = "feed";
const CARDS: &str = "cards";
/// The layout of the source of that name.
const CARDS_LAYOUT: &str = "cards";

/// A link this sure is made; one that is less is a doubt.
const SURE: f64 = 0.85;
/// Two candidates this near to each other are a doubt.
const NEAR: f64 = 0.05;

/// What linking starts from.
pub struct Linking<'a> {
    /// Tables of the statistics source alone.
    pub history: &'a TableSet,
    /// Captures of the schedule, judging and notice sources.
    pub captures: Vec<CaptureFacts>,
    /// Every id that was published: what was given once stays.
    pub published: PublishedIds,
    /// What people decided.
    pub decisions: Decisions,
}

/// Columns of `weigh_ins`, in the order in which the sources of weights give them.
const WEIGH_INS: [&str; 5] = ["bout_id", "fighter_id", "source", "weight_lbs", "is_missed"];

/// Links all sources.
///
/// # Errors
/// A table is missing or does not follow its contract, or a decision cannot be followed. Bad rows are findings in
/// `quarantine`.
pub fn link(linking: Linking<'_>) -> Result<Normalised, NormaliseError> {
    let Linking { history, mut captures, published, decisions } = linking;
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let mut registry = Registry::new(published, decisions);
    registry.add_history(history)?;
    let schedule = Schedule::read(&with(&captures, "schedule_events"))?;
    let mut entities = link_schedule(&mut registry, &schedule);
    entities.rename(&registry.merge_duplicates());
    let mut judging = Judging::link(&with(&captures, "judging_bouts"), &mut registry)?;
    let mut notice = Notice::link(&with(&captures, "notice_bouts"), &mut registry)?;
    let settled = registry.settle_ids();
    entities.rename(&settled.renamed);
    judging.rename(&settled.renamed);
    notice.rename(&settled.renamed);
    registry.check_decisions()?;
    let renamed = Renamed::new(history, &settled.renamed)?;
    let results = to_batch(Tables::get().table("results")?, &renamed.rows("results")?)?;
    let results = TableReader::new("results", &results);
    let mut tables = schedule_tables(&registry, &schedule, &entities, &renamed, &results)?;
    tables.extend(registry.link_tables(&settled.aliases)?);
    let cards = to_batch(Tables::get().table("scorecards")?, &renamed.rows("scorecards")?)?;
    let told = judging.tell(&TableReader::new("scorecards", &cards), &results)?;
    let mut ledger = told.with(notice.tell()?);
    tables.extend(ledger.tables()?);
    notice::add_short_notices(&mut tables)?;
    let findings = schedule.findings.iter().cloned().chain(ledger.findings).collect();
    tables.push(set_aside(&captures, &renamed, findings)?);
    let there: BTreeSet<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    for (name, batch) in history.0.iter().filter(|(name, _)| !there.contains(*name)) {
        let batch = if renamed.is_any() { in_order(name, renamed.rows(name)?)? } else { batch.clone() };
        tables.push((name.clone(), batch));
    }
    tables.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Normalised { tables, counts: schedule.counts.into_iter().chain(ledger.counts).collect() })
}

/// Captures that have this facts table: what a source tells of shows in its tables.
fn with<'a>(captures: &'a [CaptureFacts], table: &str) -> Vec<&'a CaptureFacts> {
    captures.iter().filter(|capture| capture.tables.contains_key(table)).collect()
}

/// The feed's bouts with ids of their own before those without, and the feed before the cards.
fn link_schedule(registry: &mut Registry, schedule: &Schedule) -> Entities {
    let mut entities =
        Entities { events: vec![None; schedule.events.len()], bouts: vec![None; schedule.bouts.len()] };
    let has_ids =
        |bout: &ClaimedBout| bout.source_id.is_some() && bout.fighters.iter().all(|(id, _)| id.is_some());
    type Wanted<'a> = &'a dyn Fn(&ClaimedBout) -> bool;
    let wanted: [(&str, Wanted<'_>); 3] =
        [(FEED, &has_ids), (FEED, &|bout| !has_ids(bout)), (CARDS, &|_| true)];
    for (space, is_wanted) in wanted {
        let (claims, places) = schedule.claims(space, is_wanted);
        let linked = registry.link_or_create(&claims);
        for ((event, bouts), (of_event, of_bouts)) in places.into_iter().zip(linked) {
            entities.events[event] = of_event;
            bouts.into_iter().zip(of_bouts).for_each(|(bout, linked)| entities.bouts[bout] = linked);
        }
    }
    entities
}

impl Entities {
    fn rename(&mut self, renamed: &std::collections::HashMap<Uuid, Uuid>) {
        let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
        self.events.iter_mut().for_each(|event| *event = event.map(new));
        for linked in self.bouts.iter_mut().flatten() {
            let Linked { event, bout, fighters } = *linked;
            *linked = Linked { event: new(event), bout: new(bout), fighters: fighters.map(new) };
        }
    }
}

/// Events, bouts, fighters, their listings and corrections.
fn schedule_tables(
    registry: &Registry,
    schedule: &Schedule,
    entities: &Entities,
    renamed: &Renamed<'_>,
    results: &TableReader<'_>,
) -> Result<Vec<(String, RecordBatch)>, NormaliseError> {
    let women = registry.women();
    let listings = told::tell(schedule, entities, &women);
    let results: BTreeSet<Uuid> = results.ids("bout_id")?.into_iter().collect();
    let mut over = results.clone();
    let told = over.iter().filter_map(|id| Some(registry.bouts.get(id)?.event)).collect();
    let claims = schedule.bouts.iter().zip(&entities.bouts).filter(|(claim, _)| claim.is_over);
    over.extend(claims.filter_map(|(_, linked)| Some((*linked)?.bout)));
    let none = BTreeMap::new();
    let made = Made {
        registry,
        schedule,
        entities,
        listings: &listings,
        women: &women,
        results: &results,
        over: &over,
        told: &told,
        told_until: told_until(registry, schedule, &told),
        replacements: &none,
    };
    let replacements = replaced::replacements(registry, &listings, |bout| made.is_off(bout));
    let made = Made { replacements: &replacements, ..made };
    let contract = |name| Tables::get().table(name);
    let mut corrections = renamed.rows("corrections")?;
    corrections.extend(changes::corrections(&listings, &replacements, registry)?);
    let events = made.events(contract("events")?, renamed.rows("events")?);
    let of_events = rows::bouts::of_events(contract("events")?, &events);
    Ok(vec![
        sorted_batch("events", events)?,
        sorted_batch("bouts", made.bouts(contract("bouts")?, renamed.rows("bouts")?, &of_events))?,
        sorted_batch("fighters", made.fighters(contract("fighters")?, renamed.rows("fighters")?))?,
        sorted_batch("event_listings", changes::event_rows(&listings)?)?,
        sorted_batch("bout_listings", changes::bout_rows(registry, &listings)?)?,
        sorted_batch("corrections", corrections)?,
    ])
}

/// The day of the newest capture of the schedule or of the newest result, whichever is later.
fn told_until(registry: &Registry, schedule: &Schedule, told: &BTreeSet<Uuid>) -> Option<NaiveDate> {
    let captured = schedule.listings.iter().map(|listing| day_of(listing.seen.at));
    let fought = told.iter().filter_map(|id| Some(registry.events.get(id)?.day));
    captured.chain(fought).max()
}

/// The statistics source's rows, and those of these captures behind them.
fn set_aside(
    captures: &[CaptureFacts],
    renamed: &Renamed<'_>,
    findings: Vec<(String, Finding)>,
) -> Result<(String, RecordBatch), NormaliseError> {
    let mut found: BTreeMap<String, Vec<_>> =
        captures.iter().map(|capture| (capture.capture.clone(), Vec::new())).collect();
    for (capture, finding) in findings {
        found.entry(capture.clone()).or_default().push((capture, "normalise", finding));
    }
    quarantine::appended(renamed.rows("quarantine")?, &quarantine_of_all(captures, found)?)
}

fn in_order(name: &str, rows: Vec<Row>) -> Result<RecordBatch, NormaliseError> {
    Ok(to_batch(Tables::get().table(name)?, &rows)?)
}
