//! Fight DNA: of a fighter as of a date, over all fighters, and what its metrics are.

mod catalogue;
mod evidence;
mod fighter;
mod query;
mod reading;
mod version;

pub(crate) use catalogue::{dna_metrics, dna_validity};
pub(crate) use fighter::fighter_dna;
pub(crate) use query::dna_query;
pub(crate) use version::Version;
