//! Of which licences sources count.

use std::collections::BTreeSet;

use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::licences::{DEFAULT, chosen_licences};
use fdna_schemas::LICENCES;

#[derive(clap::Args)]
pub(crate) struct LicencesArg {
    /// Licences whose sources count, of A, B, B?, T and NC; tables and answers are made of no others. They stay for later
    /// runs; without, those of the run before, and of a new lake A,B.
    #[arg(long, value_delimiter = ',', value_name = "LICENCES")]
    licences: Vec<String>,
}

impl LicencesArg {
    /// Those that are given, else those of the lake.
    ///
    /// # Errors
    /// There is no such licence, or the lake cannot be read.
    pub(crate) fn chosen_for(self, lake: &Lake) -> anyhow::Result<BTreeSet<String>> {
        if let Some(unknown) = self.licences.iter().find(|licence| !LICENCES.contains(&licence.as_str())) {
            let message = format!("no licence `{unknown}`; there are {}", LICENCES.join(", "));
            return Err(error_with_code(ExitCode::Usage, message));
        }
        if !self.licences.is_empty() {
            return Ok(self.licences.into_iter().collect());
        }
        Ok(chosen_licences(lake)?.unwrap_or_else(|| DEFAULT.map(str::to_owned).into()))
    }
}
