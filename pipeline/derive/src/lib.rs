//! Fight DNA: facts before a cut and the catalogue in, versions out. Pure: no clock, no files, no
//! environment, no order of threads.
//!
//! A fighter's version n is his state after his n-th date with eligible bouts, seen from the day after
//! (`valid_from`); the league around it (priors) is taken at that same day. So versions never change when
//! later bouts arrive, and the DNA as of any date is the newest version that is valid on it.

mod confidence;
mod kernel;
mod prior;
mod side;
mod table;
mod version;

use fdna_model::FactsAsOf;
use fdna_schemas::Catalogue;
use rayon::prelude::*;

pub use confidence::{Confidence, Reason};
pub use kernel::UnknownColumn;
pub use table::to_table;
pub use version::{DnaVersion, MetricState, Status};

/// Derives every version that the facts support, ordered by fighter and version.
///
/// All versions have `valid_from` on or before the cut of `facts`.
///
/// # Errors
/// The catalogue names a column that no bout has.
pub fn derive_versions(
    facts: FactsAsOf<'_>,
    catalogue: &Catalogue,
) -> Result<Vec<DnaVersion>, UnknownColumn> {
    let kernels = catalogue.metrics.iter().map(kernel::Kernel::compile).collect::<Result<Vec<_>, _>>()?;
    let sides = side::eligible_sides(facts);
    let priors = prior::Priors::of(&sides, &kernels);
    let careers = side::by_fighter(&sides);
    let versions: Vec<Vec<DnaVersion>> =
        careers.par_iter().map(|career| version::of_career(career, &kernels, &priors)).collect();
    Ok(versions.into_iter().flatten().collect())
}
