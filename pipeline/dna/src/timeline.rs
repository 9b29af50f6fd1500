//! The frame that all metrics share: observations in order, versions, windows and pools.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{Days, Months, NaiveDate};
use fdna_schemas::EngineSettings;

/// A subject: its place among those of the product, sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubjectId(pub u32);

/// A pool, within which subjects are compared: its place among those of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId(pub u16);

/// A subject in one contest that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    pub subject: SubjectId,
    /// Row of the opponent's observation of the same contest.
    pub opponent: Option<usize>,
    pub date: NaiveDate,
    pub pool: Option<PoolId>,
    /// Parts of the contest that were played: rounds, halves, innings.
    pub periods: i32,
}

/// A subject's state after its n-th date with observations, without the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubjectVersion {
    pub subject: SubjectId,
    /// From 1.
    pub version: i32,
    /// Day after the last observation in it.
    pub valid_from: NaiveDate,
    /// Pool of the latest observation that has one.
    pub pool: Option<PoolId>,
    pub observations: i32,
    pub periods: i32,
    pub first: NaiveDate,
    pub last: NaiveDate,
}

/// Observations before a date, as places in the list of dates: from the first in the window to the first after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PriorWindow {
    pub(crate) begin: usize,
    pub(crate) end: usize,
}

/// One subject: its rows, oldest first, and its versions.
#[derive(Debug)]
pub struct SubjectHistory {
    /// Rows of [`Timeline::rows`].
    pub rows: Vec<usize>,
    /// Observations by place: rows of one subject lie far apart.
    pub observations: Vec<Observation>,
    /// Versions by place, each with how many rows it rests on.
    pub versions: Vec<(usize, usize)>,
}

/// A day on which a subject of a pool has a new version, and how the pool's active subjects differ from those of the
/// pool's day before: all of them on every day would be as much as the observations times the days. Versions are places
/// in [`Timeline::pool_entries`].
#[derive(Debug)]
pub(crate) struct PoolDay {
    pub(crate) date: NaiveDate,
    pub(crate) window: PriorWindow,
    pub(crate) pool: PoolId,
    /// Versions that begin on that day, all of them in force.
    pub(crate) begun: Range<usize>,
    /// Versions that are no longer in force: a later one is, or the subject has been inactive for too long.
    pub(crate) ended: Vec<u32>,
}

/// All observations in order, and what follows from their dates, subjects and pools alone.
#[derive(Debug)]
pub struct Timeline {
    /// Oldest first.
    pub rows: Vec<Observation>,
    /// By subject.
    pub histories: Vec<SubjectHistory>,
    /// By subject and version.
    pub versions: Vec<SubjectVersion>,
    pub(crate) n_pools: usize,
    /// Days with observations.
    pub(crate) dates: Vec<NaiveDate>,
    /// Window at the first day of each version.
    pub(crate) windows: Vec<PriorWindow>,
    /// Window before the day of each row.
    pub(crate) row_windows: Vec<PriorWindow>,
    /// By row: the version that the subject had before that day.
    pub(crate) before: Vec<Option<usize>>,
    /// Versions that have a pool, by the day on which they enter it. What is asked for day by day lies in this order:
    /// that of `versions`, by subject, would miss the processor's cache with each.
    pub(crate) pool_entries: Vec<usize>,
    pub(crate) pool_days: Vec<PoolDay>,
}

impl Timeline {
    /// `rows` oldest first; pools are numbered below `n_pools`.
    #[must_use]
    pub fn new(rows: Vec<Observation>, n_pools: usize, settings: &EngineSettings) -> Self {
        let mut dates: Vec<NaiveDate> = rows.iter().map(|row| row.date).collect();
        dates.dedup();
        let mut by_subject: BTreeMap<SubjectId, Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            by_subject.entry(row.subject).or_default().push(place);
        }
        let mut timeline = Self {
            before: vec![None; rows.len()],
            rows,
            dates,
            n_pools,
            histories: Vec::new(),
            versions: Vec::new(),
            windows: Vec::new(),
            row_windows: Vec::new(),
            pool_entries: Vec::new(),
            pool_days: Vec::new(),
        };
        by_subject.into_values().for_each(|rows| timeline.add_history(rows));
        let months = Months::new(settings.prior_window_months);
        timeline.windows =
            timeline.versions.iter().map(|v| timeline.prior_window(v.valid_from, months)).collect();
        timeline.row_windows =
            timeline.rows.iter().map(|row| timeline.prior_window(row.date, months)).collect();
        let active = Months::new(settings.active_months);
        timeline.pool_entries = pool_entries(&timeline.versions);
        timeline.pool_days = timeline.pool_days(active);
        timeline
    }

    fn add_history(&mut self, rows: Vec<usize>) {
        let observations = rows.iter().map(|row| self.rows[*row]).collect();
        let mut history = SubjectHistory { rows, observations, versions: Vec::new() };
        let (mut pool, mut periods) = (None, 0);
        let Some(first) = history.observations.first().map(|first| first.date) else { return };
        for (i, (&place, row)) in history.rows.iter().zip(&history.observations).enumerate() {
            periods += row.periods;
            pool = row.pool.or(pool);
            self.before[place] = history.versions.last().map(|(version, _)| *version);
            // Several observations on one date make one version, after all of them.
            let is_last = history.observations.get(i + 1).is_none_or(|next| next.date != row.date);
            let Some(valid_from) = row.date.checked_add_days(Days::new(1)).filter(|_| is_last) else {
                continue;
            };
            history.versions.push((self.versions.len(), i + 1));
            self.versions.push(SubjectVersion {
                subject: row.subject,
                version: count_as_i32(history.versions.len()),
                valid_from,
                pool,
                observations: count_as_i32(i + 1),
                periods,
                first,
                last: row.date,
            });
        }
        self.histories.push(history);
    }

    /// The version that the subject of a row had before that day.
    #[must_use]
    pub fn version_before(&self, row: usize) -> Option<usize> {
        self.before[row]
    }

    /// Something about each version, from it and the rows that it rests on, oldest first.
    pub fn each_version<T>(&self, value_of: impl Fn(usize, &[usize]) -> T) -> Vec<T> {
        let versions = self.histories.iter().flat_map(|history| {
            history.versions.iter().map(|(version, until)| (*version, &history.rows[..*until]))
        });
        versions.map(|(version, rows)| value_of(version, rows)).collect()
    }

    /// A value of each row, by subject instead of by date, for [`Self::each_history`].
    pub(crate) fn by_history<T: Copy>(&self, by_row: &[T]) -> Vec<T> {
        let mut all = Vec::with_capacity(by_row.len());
        all.extend(self.histories.iter().flat_map(|history| &history.rows).map(|row| by_row[*row]));
        all
    }

    /// Each subject, and what [`Self::by_history`] has of its rows.
    pub(crate) fn each_history<'t, T>(
        &'t self,
        by_history: &'t [T],
    ) -> impl Iterator<Item = (&'t SubjectHistory, &'t [T])> {
        let mut rest = by_history;
        self.histories.iter().map(move |history| {
            let (own, later) = rest.split_at(history.rows.len());
            rest = later;
            (history, own)
        })
    }

    /// Observations in the months before `date`.
    fn prior_window(&self, date: NaiveDate, months: Months) -> PriorWindow {
        let passed = |date: NaiveDate| self.dates.partition_point(|other| *other < date);
        PriorWindow { begin: date.checked_sub_months(months).map_or(0, passed), end: passed(date) }
    }

    /// One for each pool and first day of a version of that pool.
    fn pool_days(&self, active: Months) -> Vec<PoolDay> {
        let mut now = PoolMembers::default();
        let mut days = Vec::new();
        let version = |entry: usize| &self.versions[self.pool_entries[entry]];
        let mut end = 0;
        for entries in
            self.pool_entries.chunk_by(|&a, &b| self.versions[a].valid_from == self.versions[b].valid_from)
        {
            let first = end;
            end += entries.len();
            (first..end).for_each(|entry| now.enter_pool(version(entry), entry));
            let date = version(first).valid_from;
            let since = date.checked_sub_months(active).unwrap_or(NaiveDate::MIN);
            let mut begin = first;
            for of_pool in entries.chunk_by(|&a, &b| self.versions[a].pool == self.versions[b].pool) {
                let begun = begin..begin + of_pool.len();
                begin = begun.end;
                let Some(pool) = version(begun.start).pool else { continue };
                days.push(PoolDay {
                    date,
                    window: self.windows[of_pool[0]],
                    pool,
                    begun,
                    ended: now.take_ended(pool, since),
                });
            }
        }
        days
    }
}

/// A count that fits the tables' 32 bits.
#[must_use]
pub fn count_as_i32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn pool_entries(versions: &[SubjectVersion]) -> Vec<usize> {
    let mut entries: Vec<usize> = (0..versions.len()).filter(|&v| versions[v].pool.is_some()).collect();
    entries.sort_by_key(|&v| (versions[v].valid_from, versions[v].pool, v));
    entries
}

/// The version in force of every subject so far, and what has ended in each pool since its last day.
#[derive(Default)]
struct PoolMembers {
    now: BTreeMap<SubjectId, (PoolId, AgedVersion)>,
    by_age: BTreeMap<PoolId, BTreeSet<AgedVersion>>,
    ended: BTreeMap<PoolId, Vec<u32>>,
}

/// The entry of a version after the date of its latest observation.
type AgedVersion = (NaiveDate, u32);

impl PoolMembers {
    /// The subject's version before has ended; one who changes the pool leaves the old one.
    fn enter_pool(&mut self, version: &SubjectVersion, entry: usize) {
        let Some(pool) = version.pool else { return };
        let new = (version.last, place_as_u32(entry));
        if let Some((old_pool, old)) = self.now.insert(version.subject, (pool, new))
            && self.by_age.entry(old_pool).or_default().remove(&old)
        {
            self.ended.entry(old_pool).or_default().push(old.1);
        }
        self.by_age.entry(pool).or_default().insert(new);
    }

    /// Versions of a pool that ended, with those whose latest observation is before `since`.
    fn take_ended(&mut self, pool: PoolId, since: NaiveDate) -> Vec<u32> {
        let mut ended = self.ended.remove(&pool).unwrap_or_default();
        let by_age = self.by_age.entry(pool).or_default();
        let still = by_age.split_off(&(since, 0));
        ended.extend(std::mem::replace(by_age, still).into_iter().map(|(_, version)| version));
        ended
    }
}

/// The versions in force of each pool, as its days pass: their places in [`Timeline::pool_entries`].
pub(crate) struct ActivePools {
    /// By pool, in no order.
    entries: Vec<Vec<u32>>,
    /// By entry: its place among those of its pool.
    places: Vec<u32>,
}

/// Of a version that is not in force.
const NO_PLACE: u32 = u32::MAX;

impl ActivePools {
    pub(crate) fn new(timeline: &Timeline) -> Self {
        let places = vec![NO_PLACE; timeline.pool_entries.len()];
        Self { entries: vec![Vec::new(); timeline.n_pools], places }
    }

    /// Moves on to the next day of a pool.
    pub(crate) fn advance_day(&mut self, day: &PoolDay) {
        let entries = &mut self.entries[usize::from(day.pool.0)];
        for &entry in &day.ended {
            let place = std::mem::replace(&mut self.places[entry as usize], NO_PLACE);
            entries.swap_remove(place as usize);
            if let Some(&moved) = entries.get(place as usize) {
                self.places[moved as usize] = place;
            }
        }
        for entry in day.begun.clone() {
            self.places[entry] = place_as_u32(entries.len());
            entries.push(place_as_u32(entry));
        }
    }

    pub(crate) fn members_of(&self, pool: PoolId) -> &[u32] {
        &self.entries[usize::from(pool.0)]
    }

    pub(crate) fn is_active(&self, entry: usize) -> bool {
        self.places[entry] != NO_PLACE
    }
}

/// A place, in half the room: there are fewer than four thousand million versions or observations.
pub(crate) fn place_as_u32(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
