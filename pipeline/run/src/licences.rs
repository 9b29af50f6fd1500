//! Of which licences sources count. The choice stands in the lake: a run that is told nothing uses that of the run
//! before, so that what is published changes only by a person's word.

use std::collections::BTreeSet;

use fdna_lake::{Lake, LakeWriter};

use crate::current_snapshot::current_manifest;
use crate::report::JobReport;

/// Those of a lake in which nobody chose.
pub const DEFAULT: [&str; 2] = ["A", "B"];

/// Those that were chosen for a lake. One of an earlier build says it in its snapshot alone.
pub fn chosen_licences(lake: &Lake) -> anyhow::Result<Option<BTreeSet<String>>> {
    if let Some(licences) = lake.capture_log()?.licences.clone() {
        return Ok(Some(licences));
    }
    let of_snapshot = current_manifest(lake).ok().flatten().map(|manifest| manifest.licences);
    Ok(of_snapshot.filter(|licences| !licences.is_empty()).map(|licences| licences.into_iter().collect()))
}

/// Writes down of which licences sources count from now on, where they were others; says so.
///
/// # Errors
/// The lake cannot be read or written.
pub fn choose_licences(
    writer: &LakeWriter,
    licences: &BTreeSet<String>,
) -> anyhow::Result<Option<JobReport>> {
    let before = chosen_licences(writer.lake())?;
    if !writer.choose_licences(licences)? || before.as_ref() == Some(licences) {
        return Ok(None);
    }
    let listed = |licences: &BTreeSet<String>| licences.iter().cloned().collect::<Vec<_>>().join(", ");
    let were = before.map(|before| format!(", where {} did before", listed(&before))).unwrap_or_default();
    let line = format!("sources of licences {} count from now on{were}", listed(licences));
    Ok(Some(JobReport::unchanged_lines("licences", vec![line])))
}
