//! Of which licences sources count. The choice stands in the lake: a run that is told nothing uses that of the run
//! before, so that what is published changes only by a person's word.

use std::collections::BTreeSet;

use fdna_lake::{Lake, LakeWriter};
use fdna_schemas::LICENCES;

use crate::current_snapshot::current;
use crate::exit::{ExitCode, coded};
use crate::report::JobReport;

/// Those of a lake in which nobody chose.
const DEFAULT: [&str; 2] = ["A", "B"];

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
    pub(crate) fn of(self, lake: &Lake) -> anyhow::Result<BTreeSet<String>> {
        if let Some(unknown) = self.licences.iter().find(|licence| !LICENCES.contains(&licence.as_str())) {
            let message =
                format!("choose licences: no licence `{unknown}`; there are {}", LICENCES.join(", "));
            return Err(coded(ExitCode::Usage, message));
        }
        if !self.licences.is_empty() {
            return Ok(self.licences.into_iter().collect());
        }
        Ok(chosen(lake)?.unwrap_or_else(|| DEFAULT.map(str::to_owned).into()))
    }
}

/// Those that were chosen for a lake. One of an earlier build says it in its snapshot alone.
fn chosen(lake: &Lake) -> anyhow::Result<Option<BTreeSet<String>>> {
    if let Some(licences) = lake.capture_log()?.licences.clone() {
        return Ok(Some(licences));
    }
    let of_snapshot = current(lake).ok().flatten().map(|manifest| manifest.licences);
    Ok(of_snapshot.filter(|licences| !licences.is_empty()).map(|licences| licences.into_iter().collect()))
}

/// Writes down of which licences sources count from now on, where they were others; says so.
///
/// # Errors
/// The lake cannot be read or written.
pub(crate) fn choose(writer: &LakeWriter, licences: &BTreeSet<String>) -> anyhow::Result<Option<JobReport>> {
    let before = chosen(writer.lake())?;
    if !writer.choose_licences(licences)? || before.as_ref() == Some(licences) {
        return Ok(None);
    }
    let listed = |licences: &BTreeSet<String>| licences.iter().cloned().collect::<Vec<_>>().join(", ");
    let were = before.map(|before| format!(", where {} did before", listed(&before))).unwrap_or_default();
    let line = format!("sources of licences {} count from now on{were}", listed(licences));
    Ok(Some(JobReport::unchanged_lines("licences", vec![line])))
}
