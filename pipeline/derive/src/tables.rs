//! What was derived, as the tables of its contracts.

mod profiles;
mod versions;

use arrow::array::RecordBatch;
use fdna_schemas::{Catalogue, ColumnError, TableError, TableWriter, Tables};

use crate::DerivedTables;

/// Why no tables could be made: they would not follow their contracts.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error("find a contract")]
    Contract(#[from] TableError),
    #[error("build a table")]
    Column(#[from] ColumnError),
}

/// Every table of the derived stage, by contract name, each sorted by its key.
///
/// # Errors
/// The catalogue is another than that of the contracts.
pub fn to_tables(
    derived: &DerivedTables,
    catalogue: &Catalogue,
) -> Result<Vec<(&'static str, RecordBatch)>, TablesError> {
    let writer =
        |name| -> Result<TableWriter<'_>, TablesError> { Ok(TableWriter::new(Tables::get().table(name)?)) };
    Ok(vec![
        ("baselines", versions::baselines(writer("baselines")?, derived, catalogue)?),
        ("dna_versions", versions::dna_versions(writer("dna_versions")?, derived, catalogue)?),
        ("finish_profiles", profiles::finish_profiles(writer("finish_profiles")?, derived)?),
        ("finish_times", profiles::finish_times(writer("finish_times")?, derived)?),
        ("metrics", profiles::metrics(writer("metrics")?, catalogue)?),
        ("ratings", profiles::ratings(writer("ratings")?, derived)?),
        ("round_profiles", profiles::round_profiles(writer("round_profiles")?, derived)?),
        ("validity", profiles::validity(writer("validity")?, derived, catalogue)?),
        ("splits", profiles::splits(writer("splits")?, derived)?),
    ])
}
