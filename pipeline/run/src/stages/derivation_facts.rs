//! The facts that derivation reads: of a run's tables, and of the current snapshot.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate};
use fdna_lake::{Lake, SnapshotManifest};
use fdna_model::Facts;
use fdna_normalise::{FACTS_TABLES, facts_columns};

use super::normalised::{NormalisedOutputs, read_each};
use crate::current_snapshot::require_current;
use crate::product::Product;

/// The facts that derivation reads of these tables.
pub(crate) fn load_derivation_facts(lake: &Lake, normalised: &NormalisedOutputs) -> anyhow::Result<Facts> {
    facts_of(|name| {
        let output = normalised.output_of(name).with_context(|| format!("no normalised table {name}"))?;
        Ok(lake.read_stage_columns(output, name, &facts_columns(name))?)
    })
}

/// The same with one table in memory at a time, which takes longer where there are several cores.
pub(crate) fn load_facts_by_table(lake: &Lake, normalised: &NormalisedOutputs) -> anyhow::Result<Facts> {
    fdna_normalise::read_facts_by(|name| {
        let output = normalised.output_of(name).with_context(|| format!("no normalised table {name}"))?;
        Ok(lake.read_stage_columns(output, name, &facts_columns(name))?)
    })
}

/// The facts that the current snapshot rests on.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn published_facts(lake: &Lake) -> anyhow::Result<(SnapshotManifest, Facts)> {
    let snapshot = require_current(lake, Product::Mma)?;
    let facts = facts_of(|name| Ok(lake.read_snapshot_table(&snapshot, name)?))?;
    Ok((snapshot, facts))
}

fn facts_of(read: impl Fn(&str) -> anyhow::Result<RecordBatch> + Sync) -> anyhow::Result<Facts> {
    let tables = read_each(FACTS_TABLES, |name| Ok((name, read(name)?)))?;
    let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
    fdna_normalise::read_facts(find).context("cannot read the facts")
}

/// The first day on which every bout is past.
pub fn after_all(facts: &Facts) -> NaiveDate {
    let last = facts.bouts().last().map_or(NaiveDate::MIN, |bout| bout.date);
    last.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX)
}
