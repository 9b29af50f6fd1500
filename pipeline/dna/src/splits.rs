//! Sums of a subject's observations of one kind: against one sort of opponent, in one pool, at home.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use fdna_schemas::Metric;

use crate::columns::{ObservationColumns, UnknownColumn};
use crate::ratio;
use crate::timeline::{SubjectHistory, SubjectId, Timeline, place_as_u32};

/// A kind of observation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SplitKey {
    pub dimension: &'static str,
    pub key: String,
}

/// State of one kind after a version that added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitRow {
    pub subject: SubjectId,
    /// Place of its kind in [`SplitRows::keys`].
    pub key: u32,
    pub version: i32,
    pub valid_from: NaiveDate,
    pub observations: i32,
    pub periods: i32,
    pub last: NaiveDate,
    /// Whether the row before it is of the same subject and kind, whose sums it adds to.
    has_earlier: bool,
    /// Number of rows of the timeline in the sums.
    added: u32,
}

/// All rows. There are as many as observations times kinds, so that what they share is kept once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SplitRows {
    /// Every kind of observation that there is, sorted.
    pub keys: Vec<SplitKey>,
    /// By subject, kind and version.
    pub rows: Vec<SplitRow>,
    /// Rows of the timeline that the rows add, one row's after another's.
    added: Vec<u32>,
}

impl SplitRows {
    /// The kind of a row.
    #[must_use]
    pub fn key_of(&self, row: &SplitRow) -> &SplitKey {
        &self.keys[row.key as usize]
    }
}

/// Sums of one metric in every row.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSums {
    /// Name of the metric.
    pub metric: String,
    pub numerator: Vec<i64>,
    pub denominator: Vec<i64>,
    /// Observations that carry the columns.
    pub observations: Vec<i32>,
}

/// All rows, and the sums of every metric that splits show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SubjectSplits {
    pub rows: SplitRows,
    pub metrics: Vec<SplitSums>,
}

/// The rows of every subject; `keys` says of which kinds the observation of a row is.
pub(crate) fn split_rows(timeline: &Timeline, keys: impl Fn(usize) -> Vec<SplitKey>) -> SplitRows {
    let all: BTreeSet<SplitKey> = (0..timeline.rows.len()).flat_map(&keys).collect();
    let mut rows = SplitRows { keys: all.into_iter().collect(), ..SplitRows::default() };
    for history in &timeline.histories {
        let by_key = of_history(timeline, history, |row| {
            let places = keys(row).into_iter().map(|key| rows.keys.partition_point(|other| *other < key));
            places.map(place_as_u32).collect()
        });
        for states in by_key.into_values() {
            for (state, added) in states {
                rows.rows.push(state);
                rows.added.extend(added);
            }
        }
    }
    rows
}

/// Rows of one kind, each with the rows of the timeline that it adds.
type KindRows = Vec<(SplitRow, Vec<u32>)>;

fn of_history(
    timeline: &Timeline,
    history: &SubjectHistory,
    keys: impl Fn(usize) -> Vec<u32>,
) -> BTreeMap<u32, KindRows> {
    let mut by_key: BTreeMap<u32, KindRows> = BTreeMap::new();
    let mut next = 0;
    for (v, until) in &history.versions {
        let version = &timeline.versions[*v];
        for (&row, observation) in history.rows[next..*until].iter().zip(&history.observations[next..*until])
        {
            for key in keys(row) {
                let states = by_key.entry(key).or_default();
                let before = states.last().map(|(last, _)| *last);
                if before.is_none_or(|last| last.version != version.version) {
                    let state = SplitRow {
                        subject: version.subject,
                        key,
                        version: version.version,
                        valid_from: version.valid_from,
                        observations: before.map_or(0, |last| last.observations),
                        periods: before.map_or(0, |last| last.periods),
                        last: observation.date,
                        has_earlier: before.is_some(),
                        added: 0,
                    };
                    states.push((state, Vec::new()));
                }
                if let Some((state, added)) = states.last_mut() {
                    state.observations += 1;
                    state.periods += observation.periods;
                    state.added += 1;
                    added.push(place_as_u32(row));
                }
            }
        }
        next = *until;
    }
    by_key
}

/// The sums of a metric in every row.
pub(crate) fn split_sums(
    timeline: &Timeline,
    columns: &dyn ObservationColumns,
    metric: &Metric,
    SplitRows { rows, added, .. }: &SplitRows,
) -> Result<SplitSums, UnknownColumn> {
    let parts = ratio::row_parts(timeline, columns, metric)?;
    let mut sums = SplitSums {
        metric: metric.name.clone(),
        numerator: Vec::with_capacity(rows.len()),
        denominator: Vec::with_capacity(rows.len()),
        observations: Vec::with_capacity(rows.len()),
    };
    let (mut y, mut d, mut observations) = (0, 0, 0);
    let mut added = added.iter();
    for row in rows {
        if !row.has_earlier {
            (y, d, observations) = (0, 0, 0);
        }
        for part in added.by_ref().take(row.added as usize).filter_map(|row| parts[*row as usize]) {
            (y, d, observations) = (y + whole_sum(part.y), d + whole_sum(part.d), observations + 1);
        }
        sums.numerator.push(y);
        sums.denominator.push(d);
        sums.observations.push(observations);
    }
    Ok(sums)
}

/// A sum of counts as the whole number that it is.
#[expect(clippy::cast_possible_truncation, reason = "sums of counts are whole and far below 2^53")]
#[must_use]
pub fn whole_sum(sum: f64) -> i64 {
    sum as i64
}
