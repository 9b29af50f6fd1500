//! Fight DNA versions: dates by fighter in memory, metrics where they are read when somebody asks for them. Those of one
//! version stand together in a file of records; one metric of all versions is a few columns of the table, of which those that
//! were asked for last stay in memory.

mod columns;
mod records;

use std::sync::Arc;

use arrow::array::{Array, RecordBatch, StringArray};
use chrono::NaiveDate;
use fdna_compare::VersionDates;
use fdna_schemas::Metric;
use fdna_schemas::tables::{ContractReader as _, DnaVersionsReader, DnaVersionsRow};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use uuid::Uuid;

pub(crate) use columns::{MetricColumns, MetricSample};
pub(crate) use records::{MetricRow, VersionRecords};

use super::DatasetError;
use super::columns::{column, without_codes};
use super::fighters::FighterTable;
use super::lazy_columns::LazyColumns;

const TABLE: &str = "dna_versions";

/// Bytes of the columns that stay in memory: of the real history half of the metrics. Those of two metrics stay however large
/// they are.
const COLUMNS_KEPT: usize = 64 << 20;
/// So few that the cache is in one piece, and the whole budget may be one metric's.
const METRICS_KEPT: usize = 32;

/// All versions.
#[derive(Debug)]
pub(crate) struct DnaTable {
    versions: VersionIndex,
    pub(crate) records: VersionRecords,
    table: Arc<dyn LazyColumns>,
    columns: Cache<&'static str, Arc<MetricColumns>, ColumnSize>,
    definition_version: StringArray,
    weight_class: StringArray,
}

/// What a version says beside its metrics.
const HEAD: [&str; 9] = [
    DnaVersionsRow::FIGHTER_ID.name,
    DnaVersionsRow::VERSION.name,
    DnaVersionsRow::ELIGIBLE_BOUTS.name,
    DnaVersionsRow::ELIGIBLE_ROUNDS.name,
    DnaVersionsRow::VALID_FROM.name,
    DnaVersionsRow::FIRST_BOUT_DATE.name,
    DnaVersionsRow::LAST_BOUT_DATE.name,
    DnaVersionsRow::DEFINITION_VERSION.name,
    DnaVersionsRow::WEIGHT_CLASS.name,
];

/// The versions of all fighters, in one piece.
#[derive(Debug)]
struct VersionIndex {
    /// By row of the fighter: where his versions begin, and where the last one's end.
    starts: Box<[usize]>,
    dates: Box<[VersionDates]>,
    heads: Box<[VersionHead]>,
    /// By the first day on which they hold: a question for a day looks at all that begin before it.
    by_day: Box<[VersionSpan]>,
    /// By row of the fighter: his id.
    ids: Box<[Uuid]>,
}

/// The days on which a version holds.
#[derive(Debug, Clone, Copy)]
struct VersionSpan {
    valid_from: NaiveDate,
    /// First day on which the next one holds.
    until: Option<NaiveDate>,
    fighter: u32,
    /// Place among the versions of all.
    place: u32,
}

/// A version that holds on a day, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VersionOfDay {
    /// Row of the fighter.
    pub(crate) fighter: usize,
    pub(crate) id: Uuid,
    pub(crate) dates: VersionDates,
    /// Row of the columns.
    pub(crate) row: usize,
}

/// One fighter's versions, oldest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DnaVersions<'d> {
    pub(crate) dates: &'d [VersionDates],
    heads: &'d [VersionHead],
}

/// What a version says beside its metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VersionHead {
    /// Row of the columns.
    pub(crate) row: usize,
    pub(crate) version: i32,
    pub(crate) eligible_bouts: i32,
    pub(crate) eligible_rounds: i32,
    pub(crate) first_bout_date: NaiveDate,
}

impl DnaVersions<'_> {
    pub(crate) fn head(&self, index: usize) -> VersionHead {
        self.heads[index]
    }

    /// The last day of each version, oldest first, and the eligible bouts up to it.
    pub(crate) fn each_eligible(&self, mut tell: impl FnMut(NaiveDate, i32)) {
        let versions = self.dates.iter().zip(self.heads);
        versions.for_each(|(dates, head)| tell(dates.last_bout_date, head.eligible_bouts));
    }
}

impl DnaTable {
    pub(crate) fn read(table: &Arc<dyn LazyColumns>, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let head = without_codes(&table.columns(&HEAD, 0..table.n_rows())?)?;
        Ok(Self {
            versions: VersionIndex::read(&head, fighters)?,
            records: VersionRecords::read(&**table)?,
            table: Arc::clone(table),
            columns: Cache::with_weighter(METRICS_KEPT, COLUMNS_KEPT as u64, ColumnSize),
            definition_version: column(&head, TABLE, DnaVersionsRow::DEFINITION_VERSION.name)?,
            weight_class: column(&head, TABLE, DnaVersionsRow::WEIGHT_CLASS.name)?,
        })
    }

    /// Versions of the fighter in a row of the fighters.
    pub(crate) fn versions(&self, fighter: usize) -> DnaVersions<'_> {
        self.versions.of_fighter(fighter)
    }

    /// Of each fighter the version that holds on a day, or the newest where none is asked.
    pub(crate) fn of_day(&self, day: Option<NaiveDate>) -> impl Iterator<Item = VersionOfDay> {
        let VersionIndex { dates, heads, by_day, ids, .. } = &self.versions;
        let begun = day.map_or(by_day.len(), |day| by_day.partition_point(|span| span.valid_from <= day));
        let holds =
            move |span: &&VersionSpan| span.until.is_none_or(|until| day.is_some_and(|day| until > day));
        by_day[..begun].iter().filter(holds).map(|span| {
            let (fighter, place) = (span.fighter as usize, span.place as usize);
            VersionOfDay { fighter, id: ids[fighter], dates: dates[place], row: heads[place].row }
        })
    }

    /// The columns of a metric. Requests that ask for the same one at the same time wait for one of them to read it.
    pub(crate) fn columns(&self, metric: &'static Metric) -> Result<Arc<MetricColumns>, DatasetError> {
        self.columns.get_or_insert_with(&metric.name.as_str(), || {
            Ok(Arc::new(MetricColumns::read(&*self.table, metric, 0..self.table.n_rows())?))
        })
    }

    pub(crate) fn definition_version(&self, row: usize) -> &str {
        self.definition_version.value(row)
    }

    pub(crate) fn weight_class(&self, row: usize) -> Option<&str> {
        self.weight_class.is_valid(row).then(|| self.weight_class.value(row))
    }
}

/// What the columns of a metric weigh in the budget.
#[derive(Debug, Clone)]
struct ColumnSize;

impl Weighter<&'static str, Arc<MetricColumns>> for ColumnSize {
    fn weight(&self, _: &&'static str, columns: &Arc<MetricColumns>) -> u64 {
        weight(columns.size())
    }
}

/// A cache takes nothing that is almost as large as itself.
fn weight(size: usize) -> u64 {
    size.min(COLUMNS_KEPT / 2) as u64
}

impl VersionIndex {
    fn read(batch: &RecordBatch, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let rows = DnaVersionsReader::of(batch).all_rows()?.into_iter().enumerate().map(|(row, head)| {
            let fighter = fighters.ids.row_of("fighter", TABLE, head.fighter_id)?;
            Ok((fighter, row, head))
        });
        let mut rows: Vec<_> = rows.collect::<Result<_, DatasetError>>()?;
        rows.sort_by_key(|(fighter, _, head)| (*fighter, head.version));
        let starts =
            (0..=fighters.rows.len()).map(|row| rows.partition_point(|(fighter, ..)| *fighter < row));
        let span = |(place, (fighter, _, head)): (usize, &(usize, usize, DnaVersionsRow<'_>))| {
            let next = rows.get(place + 1).filter(|(of, ..)| of == fighter);
            VersionSpan {
                valid_from: head.valid_from,
                until: next.map(|(.., next)| next.valid_from),
                fighter: u32::try_from(*fighter).unwrap_or(u32::MAX),
                place: u32::try_from(place).unwrap_or(u32::MAX),
            }
        };
        let mut by_day: Box<[VersionSpan]> = rows.iter().enumerate().map(span).collect();
        by_day.sort_by_key(|span| span.valid_from);
        Ok(Self {
            starts: starts.collect(),
            by_day,
            ids: fighters.rows.iter().map(|fighter| fighter.id).collect(),
            dates: rows
                .iter()
                .map(|(.., head)| VersionDates {
                    valid_from: head.valid_from,
                    last_bout_date: head.last_bout_date,
                })
                .collect(),
            heads: rows
                .iter()
                .map(|(_, row, head)| VersionHead {
                    row: *row,
                    version: head.version,
                    eligible_bouts: head.eligible_bouts,
                    eligible_rounds: head.eligible_rounds,
                    first_bout_date: head.first_bout_date,
                })
                .collect(),
        })
    }

    fn of_fighter(&self, fighter: usize) -> DnaVersions<'_> {
        let span = self.starts[fighter]..self.starts[fighter + 1];
        DnaVersions { dates: &self.dates[span.clone()], heads: &self.heads[span] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes instead of columns.
    #[derive(Clone)]
    struct AsColumns;

    impl Weighter<u8, usize> for AsColumns {
        fn weight(&self, _: &u8, size: &usize) -> u64 {
            weight(*size)
        }
    }

    #[test]
    fn columns_stay_also_where_they_are_larger_than_the_budget() {
        let cache = Cache::with_weighter(METRICS_KEPT, COLUMNS_KEPT as u64, AsColumns);
        for size in [COLUMNS_KEPT / 3, 5 * COLUMNS_KEPT] {
            cache.insert(1, size);
            assert_eq!(cache.get(&1), Some(size));
        }
    }
}
