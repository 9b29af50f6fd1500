//! Fight DNA: of a fighter as of a date, over all fighters, and what its metrics are.

mod definitions;
mod evidence;
mod fighter;
mod many;
mod query;
mod reading;
mod series;
mod version;

pub(crate) use definitions::{dna_metrics, dna_validity};
pub(crate) use fighter::fighter_dna;
pub(crate) use many::fighters_dna;
pub(crate) use query::dna_query;
pub(crate) use series::fighter_dna_series;
pub(crate) use version::AskedVersion;
