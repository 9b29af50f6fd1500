//! Bouts with their fighters, results and statistics.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow::array::{RecordBatch, StringArray, TimestampMillisecondArray};
use chrono::NaiveDate;
use fdna_api::{BOUT_CLASSES, BoutCompact, BoutFacts, BoutResult, Circumstances, PreparedJson};
use fdna_model::Method;
use fdna_schemas::tables::{BoutsReader, BoutsRow, ContractReader as _};
use rayon::prelude::*;
use uuid::Uuid;

use super::bout_pairings::{BoutPairing, BoutPairings};
use super::circumstances;
use super::columns::with_later;
use super::events::EventTable;
use super::fighters::FighterTable;
use super::ids::IdIndex;
use super::results::{KnownResult, ResultTable};
use super::scheduled_start::scheduled_start;
use super::stats::BoutStats;
use super::{DatasetError, Status, json};

/// Kinds of titles that a class has.
pub(crate) const TITLE_KINDS: [&str; 2] = ["undisputed", "interim"];

/// A bout, ready to be sent.
#[derive(Debug)]
pub(crate) struct BoutRow {
    pub(crate) id: Uuid,
    pub(crate) date: NaiveDate,
    pub(crate) order: Option<i32>,
    pub(crate) status: Status,
    /// One of the contract's classes.
    pub(crate) weight_class: Option<&'static str>,
    /// undisputed or interim, if the title of a class was at stake.
    pub(crate) title_kind: Option<&'static str>,
    /// Row of the event.
    pub(crate) event: usize,
    /// Rows of fighter a and fighter b.
    pub(crate) fighters: [usize; 2],
    /// Without fighters and result.
    pub(crate) json: Box<[u8]>,
    pub(crate) compact: Box<[u8]>,
    pub(crate) result: Option<ResultRow>,
    pub(crate) stats: Option<BoutStats>,
    /// Deductions, weights and late replacements, where a source speaks of them.
    pub(crate) circumstances: Option<Box<[u8]>>,
}

impl BoutRow {
    pub(crate) fn facts(&self) -> PreparedJson<'_, BoutFacts<'_>> {
        PreparedJson::new(&*self.json)
    }

    pub(crate) fn compact(&self) -> PreparedJson<'_, BoutCompact<'_>> {
        PreparedJson::new(&*self.compact)
    }

    pub(crate) fn result(&self) -> Option<PreparedJson<'_, BoutResult<'_>>> {
        self.result.as_ref().map(|result| PreparedJson::new(&*result.json))
    }

    pub(crate) fn circumstances(&self) -> PreparedJson<'_, Circumstances<'_>> {
        PreparedJson::new(self.circumstances.as_deref().unwrap_or(circumstances::UNKNOWN))
    }
}

/// A result, ready to be sent.
#[derive(Debug)]
pub(crate) struct ResultRow {
    pub(crate) json: Box<[u8]>,
    pub(crate) method: Option<Method>,
    /// How it ended for fighter a and fighter b: win, loss, draw or no_contest.
    pub(crate) outcomes: [&'static str; 2],
    /// Round in which it ended, and its clock.
    pub(crate) round: Option<i32>,
    pub(crate) clock: Option<Box<str>>,
    pub(crate) total_secs: Option<i32>,
    /// Whether the house rating counts it: no contests and overturned results are passed over.
    pub(crate) is_rated: bool,
    /// Whether its cards are known, with the points of both, if it is a decision.
    pub(crate) has_cards: bool,
    /// Whether there are cards, all with the points of both.
    pub(crate) are_totals_known: bool,
}

/// All bouts, in the order of the table.
#[derive(Debug)]
pub(crate) struct BoutTable {
    pub(crate) rows: Vec<BoutRow>,
    pub(crate) ids: IdIndex,
    /// Rows of those with a result, newest first; those of a day by event, main event first.
    pub(crate) with_result: Vec<usize>,
}

impl BoutTable {
    /// Every id of ours that leads to a bout: its own, and those of bouts that were found to be the same.
    pub(crate) fn all_ids(&self, row: usize) -> Vec<Uuid> {
        [&[self.rows[row].id], self.ids.aliases_of(row)].concat()
    }

    pub(crate) fn build(
        batch: &RecordBatch,
        pairings: &BoutPairings,
        events: &EventTable,
        fighters: &FighterTable,
        mut told: BoutDetails<'_>,
    ) -> Result<Self, DatasetError> {
        let batch = with_later(batch, BoutsRow::START_AT, TimestampMillisecondArray::new_null)?;
        let batch = with_later(&batch, BoutsRow::SCHEDULED_ROUNDS_RULE, StringArray::new_null)?;
        let bouts = BoutsReader::of(&batch).all_rows()?;
        let mut ids = IdIndex::of_rows("bouts", bouts.iter().map(|bout| bout.bout_id))?;
        let statsdb = bouts.iter().map(|bout| bout.statsdb_id).enumerate();
        let feed = bouts.iter().map(|bout| bout.feed_competition_id).enumerate();
        for (row, name) in statsdb.chain(feed) {
            name.iter().for_each(|name| ids.add_text(name, row));
        }
        let mut joins = Vec::with_capacity(bouts.len());
        for (bout, pairing) in bouts.into_iter().zip(&pairings.rows) {
            joins.push(BoutJoin {
                bout,
                pairing,
                event: events.ids.row_of("event", "bouts", bout.event_id)?,
                sides: sides(pairing, fighters)?,
                result: told.results.get(&bout.bout_id),
                stats: told.stats.remove(&bout.bout_id),
                circumstances: told.circumstances.remove(&bout.bout_id),
            });
        }
        let rows = joins.into_par_iter().map(BoutJoin::row);
        let rows: Vec<BoutRow> = rows.collect::<Result<_, DatasetError>>()?;
        Ok(Self { with_result: with_result(&rows), rows, ids })
    }
}

fn with_result(bouts: &[BoutRow]) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..bouts.len()).filter(|&row| bouts[row].result.is_some()).collect();
    rows.sort_by_key(|&row| {
        let bout = &bouts[row];
        (Reverse(bout.date), bout.event, Reverse(bout.order), bout.id)
    });
    rows
}

/// What other tables say of bouts.
#[derive(Debug)]
pub(crate) struct BoutDetails<'a> {
    pub(crate) results: ResultTable<'a>,
    pub(crate) stats: HashMap<Uuid, BoutStats>,
    pub(crate) circumstances: HashMap<Uuid, Box<[u8]>>,
}

/// A bout, and what other tables say of it.
struct BoutJoin<'a> {
    bout: BoutsRow<'a>,
    pairing: &'a BoutPairing,
    event: usize,
    sides: [usize; 2],
    result: Option<&'a KnownResult<'a>>,
    stats: Option<BoutStats>,
    circumstances: Option<Box<[u8]>>,
}

fn known_class(text: &str) -> Option<&'static str> {
    BOUT_CLASSES.iter().find(|word| **word == text).copied()
}

fn sides(pairing: &BoutPairing, fighters: &FighterTable) -> Result<[usize; 2], DatasetError> {
    let side = |id: Uuid| fighters.ids.row_of("fighter", "bouts", id);
    Ok([side(pairing.fighters[0])?, side(pairing.fighters[1])?])
}

impl BoutJoin<'_> {
    fn row(self) -> Result<BoutRow, DatasetError> {
        let bout = &self.bout;
        Ok(BoutRow {
            id: bout.bout_id,
            date: self.pairing.date,
            order: bout.bout_order,
            status: self.pairing.status,
            weight_class: bout.weight_class.and_then(known_class),
            title_kind: TITLE_KINDS.iter().find(|kind| bout.title_kind == Some(kind)).copied(),
            event: self.event,
            fighters: self.sides,
            json: json(&wire(bout))?,
            compact: json(&compact(bout))?,
            result: self.result.map(|r| result_row(r, self.pairing.fighters)).transpose()?,
            stats: self.stats,
            circumstances: self.circumstances,
        })
    }
}

fn wire<'a>(bout: &BoutsRow<'a>) -> BoutFacts<'a> {
    BoutFacts {
        id: bout.bout_id.into(),
        statsdb_id: bout.statsdb_id,
        feed_competition_id: bout.feed_competition_id,
        event_id: bout.event_id.into(),
        weight_class: bout.weight_class,
        weight_class_raw: bout.weight_class_raw,
        is_womens: bout.is_womens,
        is_title: bout.is_title,
        title_kind: bout.title_kind,
        scheduled_rounds: bout.scheduled_rounds,
        scheduled_rounds_rule: bout.scheduled_rounds_rule,
        card_position: bout.card_position,
        bout_order: bout.bout_order,
        status: bout.status,
        replaced_bout_id: bout.replaced_bout_id.map(Into::into),
        short_notice_days: bout.short_notice_days,
        scheduled_start: scheduled_start(bout.start_at, None),
    }
}

fn compact<'a>(bout: &BoutsRow<'a>) -> BoutCompact<'a> {
    BoutCompact {
        id: bout.bout_id.into(),
        statsdb_id: bout.statsdb_id,
        feed_competition_id: bout.feed_competition_id,
        event_id: bout.event_id.into(),
        weight_class: bout.weight_class,
        is_womens: bout.is_womens,
        is_title: bout.is_title,
        title_kind: bout.title_kind,
        scheduled_rounds: bout.scheduled_rounds,
        scheduled_rounds_rule: bout.scheduled_rounds_rule,
        card_position: bout.card_position,
        bout_order: bout.bout_order,
        status: bout.status,
        scheduled_start: scheduled_start(bout.start_at, None),
    }
}

fn result_row(told: &KnownResult<'_>, fighters: [Uuid; 2]) -> Result<ResultRow, DatasetError> {
    let KnownResult { result, are_totals_known } = told;
    let is_contest = result.outcome != "no_contest";
    let method = Method::from_name(result.method);
    let is_decision = is_contest && method.is_some_and(Method::is_decision);
    Ok(ResultRow {
        json: json(result)?,
        method,
        outcomes: fighters.map(|fighter| told.outcome_of(fighter)),
        round: result.round,
        clock: result.time.as_deref().map(Into::into),
        total_secs: result.total_seconds,
        is_rated: is_contest && method != Some(Method::Overturned),
        has_cards: !is_decision || *are_totals_known,
        are_totals_known: *are_totals_known,
    })
}
