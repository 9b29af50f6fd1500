//! The populations of the priors: a day and a class, or all classes.

use chrono::NaiveDate;
use fdna_dna::PoolPopulation;
use fdna_model::WeightClass;

use crate::career_index::class_of;

/// A day and a class, or all classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassPopulation {
    pub valid_from: NaiveDate,
    /// `None` for all.
    pub class: Option<WeightClass>,
}

impl ClassPopulation {
    pub(crate) fn from_population(population: &PoolPopulation) -> Self {
        Self { valid_from: population.valid_from, class: population.pool.and_then(class_of) }
    }

    /// The class, or ALL.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.class.map_or("ALL", WeightClass::name)
    }
}
