//! The priors of every day on which a version begins, for all to see.

use chrono::NaiveDate;
use fdna_model::WeightClass;

use crate::career_index::{CareerIndex, CareerWindow};
use crate::prior::{ClassPrior, ClassPriors};

/// A day and a class, or all classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassPopulation {
    pub valid_from: NaiveDate,
    /// `None` for all.
    pub class: Option<WeightClass>,
    pub(crate) window: CareerWindow,
}

/// One metric's prior in a population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassBaseline {
    /// Mean and strength.
    pub prior: Option<(f64, f64)>,
    /// Fighter-bouts with a denominator in the window, of the class.
    pub fighter_bouts: i32,
}

/// By day and name of the population; a class without an eligible bout in the window is left out.
pub(crate) fn populations(league: &CareerIndex<'_>) -> Vec<ClassPopulation> {
    let mut days: Vec<(NaiveDate, CareerWindow)> =
        league.versions.iter().map(|v| v.valid_from).zip(league.windows.iter().copied()).collect();
    days.sort_by_key(|(day, _)| *day);
    days.dedup();
    let dates = |class: WeightClass| -> Vec<NaiveDate> {
        league.sides.iter().filter(|s| s.bout.class == Some(class)).map(|s| s.bout.date).collect()
    };
    let fought: Vec<(WeightClass, Vec<NaiveDate>)> =
        WeightClass::ALL.iter().map(|c| (*c, dates(*c))).collect();
    let mut all = Vec::new();
    for (valid_from, window) in days {
        let in_window = |dates: &[NaiveDate]| {
            let begin = league.dates.get(window.begin).copied().unwrap_or(NaiveDate::MAX);
            dates.partition_point(|d| *d < begin) < dates.partition_point(|d| *d < valid_from)
        };
        let classes = fought.iter().filter(|(_, dates)| in_window(dates)).map(|(class, _)| Some(*class));
        let population = |class| ClassPopulation { valid_from, class, window };
        all.extend(std::iter::once(None).chain(classes).map(population));
    }
    all.sort_by_key(|p| (p.valid_from, p.name()));
    all
}

impl ClassPopulation {
    /// The class, or ALL.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.class.map_or("ALL", WeightClass::name)
    }
}

pub(crate) fn baselines(populations: &[ClassPopulation], priors: &ClassPriors<'_>) -> Vec<ClassBaseline> {
    let baseline = |p: &ClassPopulation| ClassBaseline {
        prior: priors.at(p.window, p.class).map(|ClassPrior { mean, strength }| (mean, strength)),
        fighter_bouts: priors.window(p.window, p.class).1,
    };
    populations.iter().map(baseline).collect()
}
