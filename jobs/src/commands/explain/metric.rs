//! A metric of a DNA version, as the operation of the API explains it.

use fdna_lake::Lake;
use fdna_run::lineage::RowLineage;
use serde_json::Value;

use crate::commands::profile::ask_snapshot;

/// The metric with definition, sums, priors, and the bouts that were summed and left out; `None` where the snapshot is not
/// the one that is served, or the row is of no DNA version.
pub(super) fn explain_metric(
    lake: &Lake,
    lineage: &RowLineage,
    metric: &str,
) -> anyhow::Result<Option<Value>> {
    let day = lineage.cells.get("valid_from").and_then(Value::as_str);
    let fighter = lineage.key.get("fighter_id").and_then(Value::as_str);
    let is_current = lake.current_snapshot()?.is_some_and(|id| id.to_string() == lineage.snapshot);
    let (Some(day), Some(fighter), true) = (day, fighter, is_current && lineage.table == "dna_versions")
    else {
        return Ok(None);
    };
    let address = format!("/v1/mma/fighters/{fighter}/dna?metrics={metric}&include=provenance&as_of={day}");
    let answer = ask_snapshot(lake.clone(), async |api| api.get(&address).await)?;
    let (status, body) = answer;
    if !status.is_success() {
        return Ok(None);
    }
    let mut answer: Value = serde_json::from_slice(&body)?;
    let mut metric = answer["data"]["metrics"][0].take();
    metric["as_of"] = answer["data"]["as_of"].take();
    Ok(Some(metric))
}
