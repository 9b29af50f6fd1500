//! Sums of a subject's observations of one kind: against one sort of opponent, in one pool, at home.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_schemas::Metric;

use crate::columns::{ObservationColumns, UnknownColumn};
use crate::ratio;
use crate::timeline::{SubjectHistory, SubjectId, Timeline, whole};

/// A kind of observation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SplitKey {
    pub dimension: &'static str,
    pub key: String,
}

/// State of one kind after a version that added to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitRow {
    pub subject: SubjectId,
    pub key: SplitKey,
    pub version: i32,
    pub valid_from: NaiveDate,
    pub observations: i32,
    pub periods: i32,
    pub last: NaiveDate,
    /// Row before it, and the rows of the timeline that it adds.
    earlier: Option<usize>,
    added: Vec<usize>,
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
    /// By subject, dimension, key and version.
    pub rows: Vec<SplitRow>,
    pub metrics: Vec<SplitSums>,
}

/// The rows of every subject; `keys` says of which kinds the observation of a row is.
pub(crate) fn rows(timeline: &Timeline, keys: impl Fn(usize) -> Vec<SplitKey>) -> Vec<SplitRow> {
    let mut rows = Vec::new();
    for history in &timeline.histories {
        add_history(timeline, history, &keys, &mut rows);
    }
    rows
}

fn add_history(
    timeline: &Timeline,
    history: &SubjectHistory,
    keys: impl Fn(usize) -> Vec<SplitKey>,
    rows: &mut Vec<SplitRow>,
) {
    let mut by_key: BTreeMap<SplitKey, Vec<SplitRow>> = BTreeMap::new();
    let mut next = 0;
    for (v, until) in &history.versions {
        let version = &timeline.versions[*v];
        for &row in &history.rows[next..*until] {
            let observation = &timeline.rows[row];
            for key in keys(row) {
                let states = by_key.entry(key.clone()).or_default();
                if states.last().is_none_or(|last| last.version != version.version) {
                    let before = states.last().map_or((0, 0), |last| (last.observations, last.periods));
                    states.push(SplitRow {
                        subject: version.subject,
                        key,
                        version: version.version,
                        valid_from: version.valid_from,
                        observations: before.0,
                        periods: before.1,
                        last: observation.date,
                        earlier: None,
                        added: Vec::new(),
                    });
                }
                if let Some(state) = states.last_mut() {
                    state.observations += 1;
                    state.periods += observation.periods;
                    state.added.push(row);
                }
            }
        }
        next = *until;
    }
    for states in by_key.into_values() {
        for (n, state) in states.into_iter().enumerate() {
            rows.push(SplitRow { earlier: (n > 0).then(|| rows.len() - 1), ..state });
        }
    }
}

/// The sums of a metric in every row.
pub(crate) fn sums(
    timeline: &Timeline,
    columns: &dyn ObservationColumns,
    metric: &Metric,
    rows: &[SplitRow],
) -> Result<SplitSums, UnknownColumn> {
    let parts = ratio::parts(timeline, columns, metric)?;
    let mut sums = SplitSums {
        metric: metric.name.clone(),
        numerator: Vec::with_capacity(rows.len()),
        denominator: Vec::with_capacity(rows.len()),
        observations: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        let carrying: Vec<_> = row.added.iter().filter_map(|row| parts[*row]).collect();
        let before = |series: &[i64]| row.earlier.map_or(0, |earlier| series[earlier]);
        let y = before(&sums.numerator) + carrying.iter().map(|part| int(part.y)).sum::<i64>();
        let d = before(&sums.denominator) + carrying.iter().map(|part| int(part.d)).sum::<i64>();
        let observations =
            row.earlier.map_or(0, |earlier| sums.observations[earlier]) + whole(carrying.len());
        sums.numerator.push(y);
        sums.denominator.push(d);
        sums.observations.push(observations);
    }
    Ok(sums)
}

/// A sum of counts as the whole number that it is.
#[expect(clippy::cast_possible_truncation, reason = "sums of counts are whole and far below 2^53")]
#[must_use]
pub fn int(sum: f64) -> i64 {
    sum as i64
}
