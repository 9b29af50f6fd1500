//! Bouts of a fighter that a metric rests on, and why the others do not enter.

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::NaiveDate;
use fdna_api::{ExcludedBout, Id};
use fdna_model::FIRST_ELIGIBLE;
use fdna_schemas::{Metric, MetricDefinitions};

use super::version::AskedVersion;
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::{BoutRow, ResultRow};
use crate::dataset::stats::BoutStats;

/// Metrics that rest on every bout with a known outcome, with statistics or without.
const RATED: [&str; 3] = ["house_rating", "rating_change_365d", "win_streak"];

/// Metrics that rest on every bout that was fought.
const FOUGHT: [&str; 2] = ["layoff_days", "bouts_last_36m"];

/// Whether the metric rests on bouts with statistics or without, rather than on eligible ones.
pub(super) fn is_of_all_bouts(metric: &Metric) -> bool {
    matches!(EvidenceKind::of(metric), EvidenceKind::Outcome | EvidenceKind::Fought)
}

/// What a bout must carry for a metric, beside being eligible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidenceKind {
    Nothing,
    /// Control time of both fighters.
    Control,
    /// If it is a decision, its cards with the points of both.
    Cards,
    OpponentStance,
    /// A known outcome; it need not be eligible.
    Outcome,
    /// That it was fought; it need not be eligible.
    Fought,
}

impl EvidenceKind {
    const ALL: [Self; 6] =
        [Self::Nothing, Self::Control, Self::Cards, Self::OpponentStance, Self::Outcome, Self::Fought];

    fn of(metric: &Metric) -> Self {
        static KINDS: LazyLock<HashMap<&'static str, EvidenceKind>> = LazyLock::new(|| {
            let metrics = MetricDefinitions::get().metrics.iter();
            metrics.map(|metric| (&*metric.name, EvidenceKind::of_definition(metric))).collect()
        });
        KINDS.get(&*metric.name).copied().unwrap_or_else(|| Self::of_definition(metric))
    }

    fn of_definition(metric: &Metric) -> Self {
        let columns = metric.source_columns();
        let names = |is: fn(&str) -> bool| columns.iter().any(|column| is(column));
        match () {
            () if RATED.contains(&metric.name.as_str()) => Self::Outcome,
            () if FOUGHT.contains(&metric.name.as_str()) => Self::Fought,
            () if names(|c| c.ends_with("control_secs")) => Self::Control,
            () if names(|c| c.starts_with("card_")) => Self::Cards,
            () if names(|c| c == "stance_bouts") => Self::OpponentStance,
            () => Self::Nothing,
        }
    }
}

/// Bouts up to a version, oldest first.
#[derive(Debug, Default)]
pub(crate) struct EvidenceBouts {
    pub(super) summed: Vec<Id>,
    /// Days of the oldest and the newest of them.
    pub(super) first: Option<NaiveDate>,
    pub(super) last: Option<NaiveDate>,
    pub(super) excluded: Vec<ExcludedBout>,
}

impl EvidenceBouts {
    fn sum(&mut self, bout: &BoutRow) {
        self.summed.push(Id(bout.id));
        self.first.get_or_insert(bout.date);
        self.last = Some(bout.date);
    }
}

/// The bouts up to a version, by what they must carry.
#[derive(Debug)]
pub(crate) struct MetricEvidence {
    by_need: [EvidenceBouts; EvidenceKind::ALL.len()],
    /// Whether as many bouts are eligible as the version says: otherwise none can be told.
    is_whole: bool,
}

impl MetricEvidence {
    /// For all metrics.
    pub(crate) fn of(version: &AskedVersion<'_>) -> Self {
        Self::of_kinds(version, &EvidenceKind::ALL)
    }

    /// For one metric alone.
    pub(super) fn of_metric(version: &AskedVersion<'_>, metric: &Metric) -> Self {
        match EvidenceKind::of(metric) {
            EvidenceKind::Nothing => Self::of_kinds(version, &[EvidenceKind::Nothing]),
            kind => Self::of_kinds(version, &[EvidenceKind::Nothing, kind]),
        }
    }

    fn of_kinds(version: &AskedVersion<'_>, kinds: &[EvidenceKind]) -> Self {
        let (data, fighter) = (version.data, version.fighter);
        let bouts = data.fighters.rows[fighter].bouts.iter().rev().map(|&row| &data.bouts.rows[row]);
        let fought = bouts.filter(|b| b.status == Status::Completed && b.date < version.day);
        let mut by_need = EvidenceKind::ALL.map(|_| EvidenceBouts::default());
        for bout in fought {
            for &need in kinds {
                let bouts = &mut by_need[need as usize];
                match missing(&data, fighter, bout, need) {
                    None => bouts.sum(bout),
                    Some(reason) => bouts.excluded.push(ExcludedBout { bout_id: Id(bout.id), reason }),
                }
            }
        }
        let eligible = by_need[EvidenceKind::Nothing as usize].summed.len();
        Self { is_whole: usize::try_from(version.stored.eligible_bouts) == Ok(eligible), by_need }
    }

    /// The bouts of a metric, if they are as many as the version says; otherwise they cannot be told.
    pub(super) fn bouts(&self, metric: &Metric, stated: i32) -> Option<&EvidenceBouts> {
        let bouts = &self.by_need[EvidenceKind::of(metric) as usize];
        let stated = usize::try_from(stated).ok()?;
        (self.is_whole && bouts.summed.len() == stated).then_some(bouts)
    }
}

/// Why the bout does not enter; `None` if it does.
fn missing(data: &Dataset, fighter: usize, bout: &BoutRow, need: EvidenceKind) -> Option<&'static str> {
    if need == EvidenceKind::Fought {
        return None;
    }
    let Some(result) = &bout.result else { return Some("no_result") };
    if need == EvidenceKind::Outcome {
        return (!result.is_rated).then_some("no_contest");
    }
    let opponent = bout.fighters[usize::from(bout.fighters[0] == fighter)];
    let carries = match need {
        EvidenceKind::Control => bout.stats.as_ref().is_some_and(BoutStats::is_timed),
        EvidenceKind::Cards => result.has_cards,
        EvidenceKind::OpponentStance => data.fighters.rows[opponent].stance.is_some(),
        EvidenceKind::Nothing | EvidenceKind::Outcome | EvidenceKind::Fought => true,
    };
    ineligible(bout, result).or_else(|| (!carries).then_some("not_recorded"))
}

/// Why no metric of statistics counts the bout.
fn ineligible(bout: &BoutRow, result: &ResultRow) -> Option<&'static str> {
    match () {
        () if bout.date < FIRST_ELIGIBLE => Some("before_2000_11_17"),
        () if result.total_secs.is_none() => Some("no_time_format"),
        () if result.total_secs.is_some_and(|secs| secs <= 0) => Some("no_fought_time"),
        () if bout.stats.is_none() => Some("no_round_statistics"),
        () => None,
    }
}
