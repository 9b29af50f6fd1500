//! Bouts with their fighters, results and statistics.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{BOUT_CLASSES, BoutCompact, BoutFacts, BoutResult, Circumstances, PreparedJson};
use fdna_model::Method;
use fdna_schemas::TableReader;
use rayon::prelude::*;
use uuid::Uuid;

use super::circumstances;
use super::events::EventTable;
use super::fighters::FighterTable;
use super::ids::IdIndex;
use super::results::{KnownResult, ResultTable};
use super::scheduled_start::ScheduledStarts;
use super::stats::BoutStats;
use super::titles::TITLE_KINDS;
use super::{DatasetError, Status, json, never_null};

/// Who fights whom and when: what fighters need to know before bouts can be written.
#[derive(Debug)]
pub(crate) struct BoutPairings {
    pub(crate) rows: Vec<BoutPairing>,
    by_bout: HashMap<Uuid, usize>,
}

#[derive(Debug)]
pub(crate) struct BoutPairing {
    pub(crate) date: NaiveDate,
    pub(crate) status: Status,
    pub(crate) fighters: [Uuid; 2],
}

impl BoutPairings {
    pub(crate) fn read(batch: &RecordBatch) -> Result<Self, DatasetError> {
        let table = TableReader::new("bouts", batch);
        let (ids, dates) = (table.ids("bout_id")?, table.dates("event_date")?);
        let (a, b) = (table.ids("fighter_a_id")?, table.ids("fighter_b_id")?);
        let statuses = table.strings("status")?;
        let pairing = |i: usize| {
            Ok(BoutPairing {
                date: never_null(dates[i], "bouts", "event_date")?,
                status: Status::of(statuses[i]),
                fighters: [a[i], b[i]],
            })
        };
        let rows = (0..table.rows()).map(pairing).collect::<Result<Vec<_>, DatasetError>>()?;
        let by_bout = ids.into_iter().enumerate().map(|(row, id)| (id, row)).collect();
        Ok(Self { rows, by_bout })
    }

    pub(crate) fn fighters_of(&self, bout: Uuid) -> Option<[Uuid; 2]> {
        self.by_bout.get(&bout).map(|&row| self.rows[row].fighters)
    }
}

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
        let table = BoutColumns::read(batch)?;
        let mut ids = IdIndex::of_rows("bouts", table.ids.iter().copied())?;
        for names in [&table.statsdb, &table.feed] {
            let named = names.iter().enumerate().filter_map(|(row, name)| Some((row, (*name)?)));
            named.for_each(|(row, name)| ids.add_text(name, row));
        }
        let join = |i: usize| {
            Ok(BoutJoin {
                pairing: &pairings.rows[i],
                event: event(events, table.events[i])?,
                sides: sides(&pairings.rows[i], fighters)?,
                result: told.results.get(&table.ids[i]),
                stats: told.stats.remove(&table.ids[i]),
                circumstances: told.circumstances.remove(&table.ids[i]),
            })
        };
        let joins: Vec<BoutJoin<'_>> = (0..table.ids.len()).map(join).collect::<Result<_, DatasetError>>()?;
        let rows = joins.into_par_iter().enumerate().map(|(i, join)| table.row(i, join));
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

/// What other tables say of one.
struct BoutJoin<'a> {
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

fn event(events: &EventTable, id: Uuid) -> Result<usize, DatasetError> {
    events.ids.row(id).ok_or(DatasetError::Dangling { table: "bouts", what: "event", id })
}

fn sides(pairing: &BoutPairing, fighters: &FighterTable) -> Result<[usize; 2], DatasetError> {
    let side = |id: Uuid| {
        let unknown = DatasetError::Dangling { table: "bouts", what: "fighter", id };
        fighters.ids.row(id).ok_or(unknown)
    };
    Ok([side(pairing.fighters[0])?, side(pairing.fighters[1])?])
}

struct BoutColumns<'a> {
    ids: Vec<Uuid>,
    events: Vec<Uuid>,
    statsdb: Vec<Option<&'a str>>,
    feed: Vec<Option<&'a str>>,
    class: Vec<Option<&'a str>>,
    class_raw: Vec<Option<&'a str>>,
    is_womens: Vec<Option<bool>>,
    is_title: Vec<Option<bool>>,
    title_kind: Vec<Option<&'a str>>,
    rounds: Vec<Option<i32>>,
    position: Vec<Option<&'a str>>,
    order: Vec<Option<i32>>,
    status: Vec<Option<&'a str>>,
    replaced: Vec<Option<Uuid>>,
    notice: Vec<Option<i32>>,
    starts: ScheduledStarts<'a>,
}

impl<'a> BoutColumns<'a> {
    fn read(batch: &'a RecordBatch) -> Result<Self, DatasetError> {
        let table = TableReader::new("bouts", batch);
        Ok(Self {
            ids: table.ids("bout_id")?,
            events: table.ids("event_id")?,
            statsdb: table.strings("statsdb_id")?,
            feed: table.strings("feed_competition_id")?,
            class: table.strings("weight_class")?,
            class_raw: table.strings("weight_class_raw")?,
            is_womens: table.bools("is_womens")?,
            is_title: table.bools("is_title")?,
            title_kind: table.strings("title_kind")?,
            rounds: table.int32s("scheduled_rounds")?,
            position: table.strings("card_position")?,
            order: table.int32s("bout_order")?,
            status: table.strings("status")?,
            replaced: table.uuids("replaced_bout_id")?,
            notice: table.int32s("short_notice_days")?,
            starts: ScheduledStarts::read("bouts", batch)?,
        })
    }

    fn row(&self, i: usize, join: BoutJoin<'_>) -> Result<BoutRow, DatasetError> {
        Ok(BoutRow {
            id: self.ids[i],
            date: join.pairing.date,
            order: self.order[i],
            status: join.pairing.status,
            weight_class: self.class[i].and_then(known_class),
            title_kind: TITLE_KINDS.iter().find(|kind| self.title_kind[i] == Some(kind)).copied(),
            event: join.event,
            fighters: join.sides,
            json: json(&self.wire(i))?,
            compact: json(&self.compact(i))?,
            result: join.result.map(|r| result_row(r, join.pairing.fighters)).transpose()?,
            stats: join.stats,
            circumstances: join.circumstances,
        })
    }

    fn wire(&self, i: usize) -> BoutFacts<'_> {
        BoutFacts {
            id: self.ids[i].into(),
            statsdb_id: self.statsdb[i],
            feed_competition_id: self.feed[i],
            event_id: self.events[i].into(),
            weight_class: self.class[i],
            weight_class_raw: self.class_raw[i],
            is_womens: self.is_womens[i],
            is_title: self.is_title[i],
            title_kind: self.title_kind[i],
            scheduled_rounds: self.rounds[i],
            card_position: self.position[i],
            bout_order: self.order[i],
            status: self.status[i],
            replaced_bout_id: self.replaced[i].map(Into::into),
            short_notice_days: self.notice[i],
            scheduled_start: self.starts.of(i),
        }
    }

    fn compact(&self, i: usize) -> BoutCompact<'_> {
        BoutCompact {
            id: self.ids[i].into(),
            statsdb_id: self.statsdb[i],
            feed_competition_id: self.feed[i],
            event_id: self.events[i].into(),
            weight_class: self.class[i],
            is_womens: self.is_womens[i],
            is_title: self.is_title[i],
            title_kind: self.title_kind[i],
            scheduled_rounds: self.rounds[i],
            card_position: self.position[i],
            bout_order: self.order[i],
            status: self.status[i],
            scheduled_start: self.starts.of(i),
        }
    }
}

fn result_row(told: &KnownResult<'_>, fighters: [Uuid; 2]) -> Result<ResultRow, DatasetError> {
    let KnownResult { result, are_totals_known } = told;
    let of = |fighter: Uuid| match (result.outcome, result.winner_id) {
        ("win", Some(winner)) if winner.0 == fighter => "win",
        ("win", _) => "loss",
        ("draw", _) => "draw",
        _ => "no_contest",
    };
    let is_contest = result.outcome != "no_contest";
    let method = Method::from_name(result.method);
    let is_decision = is_contest && method.is_some_and(Method::is_decision);
    Ok(ResultRow {
        json: json(result)?,
        method,
        outcomes: fighters.map(of),
        round: result.round,
        clock: result.time.as_deref().map(Into::into),
        total_secs: result.total_seconds,
        is_rated: is_contest && method != Some(Method::Overturned),
        has_cards: !is_decision || *are_totals_known,
        are_totals_known: *are_totals_known,
    })
}
