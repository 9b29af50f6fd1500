//! Rankings: columns as they are stored, and which rows are of which snapshot.

use std::collections::HashMap;
use std::ops::Range;

use arrow::array::{Array, BooleanArray, Int32Array, RecordBatch, StringArray};
use chrono::{DateTime, NaiveDate, Utc};
use fdna_api::{RANKING_DIVISIONS, RankingPosition, RankingSnapshot};
use fdna_schemas::tables::{ContractReader as _, RankingsReader, RankingsRow};

use super::DatasetError;
use super::columns::{column, instant, with_later};
use super::ids::IdIndex;

const TABLE: &str = "rankings";

/// All snapshots. A row costs a few dozen bytes: there are a hundred thousand, and few are asked for.
#[derive(Debug)]
pub(crate) struct RankingTable {
    /// Oldest first.
    snapshots: Vec<RankingDay>,
    /// Rows of the table, snapshot by snapshot, in the order of the answer.
    order: Vec<usize>,
    columns: RankingColumns,
    /// By row of the table: row of the fighter.
    fighters: Vec<Option<usize>>,
    reigns: Vec<ListedReign>,
}

/// Snapshots that follow one another in which the same fighter, or nobody, stands in the champion's place of a division.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedReign {
    pub(crate) first: NaiveDate,
    pub(crate) last: NaiveDate,
    /// Row of the table.
    row: usize,
    /// Row of the fighter; `None` for a vacant place, and for a name that is tied to nobody.
    pub(crate) fighter: Option<usize>,
    pub(crate) is_vacant: bool,
}

/// One day's.
#[derive(Debug)]
pub(crate) struct RankingDay {
    pub(crate) date: NaiveDate,
    source: Box<str>,
    source_url: Option<Box<str>>,
    /// Since when all its lists are known as they stand.
    captured_at: DateTime<Utc>,
    /// Places in `order`.
    places: Range<usize>,
}

impl RankingDay {
    pub(crate) fn wire(&self) -> RankingSnapshot<'_> {
        RankingSnapshot {
            source: Some(&self.source),
            source_url: self.source_url.as_deref(),
            snapshot_date: Some(self.date.to_string()),
            captured_at: Some(instant(self.captured_at)),
        }
    }
}

/// A place of a snapshot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankingEntry<'a> {
    columns: &'a RankingColumns,
    row: usize,
    /// Row of the fighter; `None` where the name is tied to nobody.
    pub(crate) fighter: Option<usize>,
}

impl RankingTable {
    pub(crate) fn read(batch: &RecordBatch, fighters: &IdIndex) -> Result<Self, DatasetError> {
        let batch = with_later(batch, RankingsRow::SOURCE_URL, StringArray::new_null)?;
        let table = RankingsReader::of(&batch);
        let (days, places) = (table.snapshot_date()?, table.place()?);
        let columns = RankingColumns::read(&batch)?;
        let mut order: Vec<usize> = (0..table.len()).collect();
        let rank = |row: usize| division_rank(columns.division.value(row));
        order.sort_by_cached_key(|&row| (days[row], rank(row), places[row]));
        let snapshots = snapshots(table, &days, &order)?;
        let found = |id| fighters.row_of("fighter", TABLE, id);
        let of_rows = table.fighter_id()?.into_iter().map(|id| id.map(found).transpose());
        let fighters = of_rows.collect::<Result<_, _>>()?;
        let mut table = Self { snapshots, order, columns, fighters, reigns: Vec::new() };
        table.reigns = table.list_reigns();
        Ok(table)
    }

    /// By division, oldest first.
    fn list_reigns(&self) -> Vec<ListedReign> {
        let mut reigns: HashMap<&str, Vec<ListedReign>> = HashMap::new();
        for snapshot in &self.snapshots {
            for place in self.places(snapshot).filter(|place| place.is_top()) {
                let listed = reigns.entry(place.division()).or_default();
                let is_same = |reign: &&mut ListedReign| match (reign.fighter, place.fighter) {
                    (None, None) => self.columns.name_of(reign.row) == place.name(),
                    (before, now) => before == now,
                };
                match listed.last_mut().filter(is_same) {
                    Some(reign) => reign.last = snapshot.date,
                    None => listed.push(ListedReign {
                        first: snapshot.date,
                        last: snapshot.date,
                        row: place.row,
                        fighter: place.fighter,
                        is_vacant: !place.wire().is_champion,
                    }),
                }
            }
        }
        reigns.into_values().flatten().collect()
    }

    /// The reign in a division that began last, up to a day.
    pub(crate) fn newest_reign(&self, division: &str, until: NaiveDate) -> Option<ListedReign> {
        let of_division = |reign: &&ListedReign| self.columns.division.value(reign.row) == division;
        let begun = self.reigns.iter().filter(of_division).filter(|reign| reign.first <= until);
        begun.max_by_key(|reign| reign.first).copied()
    }

    /// Day of the first snapshot after one.
    pub(crate) fn first_after(&self, day: NaiveDate) -> Option<NaiveDate> {
        let next = self.snapshots.partition_point(|snapshot| snapshot.date <= day);
        self.snapshots.get(next).map(|snapshot| snapshot.date)
    }

    /// The newest snapshot: of what was known before a day began and of what stood on another, where they are asked. The
    /// earlier of both ends it.
    pub(crate) fn newest(&self, as_of: Option<NaiveDate>, on: Option<NaiveDate>) -> Option<&RankingDay> {
        let known = as_of.map(|day| day.pred_opt().unwrap_or(day));
        self.on(known.into_iter().chain(on).min())
    }

    /// The newest snapshot, at or before a day if one is asked.
    fn on(&self, day: Option<NaiveDate>) -> Option<&RankingDay> {
        let end = day.map_or(self.snapshots.len(), |day| self.snapshots.partition_point(|s| s.date <= day));
        self.snapshots[..end].last()
    }

    /// Places of a snapshot, by division, then by place.
    pub(crate) fn places(&self, snapshot: &RankingDay) -> impl Iterator<Item = RankingEntry<'_>> {
        let rows = self.order[snapshot.places.clone()].iter();
        rows.map(|&row| RankingEntry { columns: &self.columns, row, fighter: self.fighters[row] })
    }
}

impl<'a> RankingEntry<'a> {
    pub(crate) fn division(&self) -> &'a str {
        self.columns.division.value(self.row)
    }

    pub(crate) fn name(&self) -> Option<&'a str> {
        self.columns.name_of(self.row)
    }

    /// Whether it is the champion's place.
    pub(crate) fn is_top(&self) -> bool {
        self.columns.rank.value(self.row) == 0
    }

    pub(crate) fn wire(&self) -> RankingPosition<'a> {
        let (columns, row) = (self.columns, self.row);
        RankingPosition {
            division: self.division(),
            label: columns.label.value(row),
            is_womens: columns.is_womens.value(row),
            is_p4p: columns.is_p4p.value(row),
            rank: columns.rank.value(row),
            is_champion: columns.is_champion.value(row),
            change: columns.change.is_valid(row).then(|| columns.change.value(row)),
            is_new: columns.is_new.value(row),
        }
    }
}

/// Columns of which an answer reads single rows.
#[derive(Debug)]
struct RankingColumns {
    division: StringArray,
    label: StringArray,
    name: StringArray,
    rank: Int32Array,
    change: Int32Array,
    is_womens: BooleanArray,
    is_p4p: BooleanArray,
    is_champion: BooleanArray,
    is_new: BooleanArray,
}

impl RankingColumns {
    fn name_of(&self, row: usize) -> Option<&str> {
        self.name.is_valid(row).then(|| self.name.value(row))
    }

    fn read(batch: &RecordBatch) -> Result<Self, DatasetError> {
        Ok(Self {
            division: column(batch, TABLE, RankingsRow::DIVISION.name)?,
            label: column(batch, TABLE, RankingsRow::LABEL.name)?,
            name: column(batch, TABLE, RankingsRow::FIGHTER_NAME.name)?,
            rank: column(batch, TABLE, RankingsRow::RANK.name)?,
            change: column(batch, TABLE, RankingsRow::CHANGE.name)?,
            is_womens: column(batch, TABLE, RankingsRow::IS_WOMENS.name)?,
            is_p4p: column(batch, TABLE, RankingsRow::IS_P4P.name)?,
            is_champion: column(batch, TABLE, RankingsRow::IS_CHAMPION.name)?,
            is_new: column(batch, TABLE, RankingsRow::IS_NEW.name)?,
        })
    }
}

fn snapshots(
    table: RankingsReader<'_>,
    days: &[NaiveDate],
    order: &[usize],
) -> Result<Vec<RankingDay>, DatasetError> {
    let (sources, urls, captured) = (table.source()?, table.source_url()?, table.captured_at()?);
    let mut snapshots: Vec<RankingDay> = Vec::new();
    for (place, &row) in order.iter().enumerate() {
        let at = captured[row];
        match snapshots.last_mut() {
            Some(newest) if newest.date == days[row] => {
                newest.places.end = place + 1;
                newest.captured_at = newest.captured_at.max(at);
            }
            _ => snapshots.push(RankingDay {
                date: days[row],
                source: sources[row].into(),
                source_url: urls[row].map(Into::into),
                captured_at: at,
                places: place..place + 1,
            }),
        }
    }
    Ok(snapshots)
}

/// Place of a division in the answer; what is none of the known comes last.
fn division_rank(division: &str) -> usize {
    let known = RANKING_DIVISIONS.iter().position(|word| *word == division);
    known.unwrap_or(RANKING_DIVISIONS.len())
}
