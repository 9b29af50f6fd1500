//! A metric of a DNA version, as the operation of the API explains it.

use fdna_lake::Lake;
use fdna_run::lineage::RowLineage;
use serde_json::Value;

use crate::commands::profile::ask_snapshot;

/// The operation that explains a metric of a DNA version, as its address; `None` where the row is of none.
pub(super) fn metric_address(lineage: &RowLineage, metric: &str) -> Option<String> {
    let day = lineage.cells.get("valid_from").and_then(Value::as_str)?;
    let fighter = lineage.key.get("fighter_id").and_then(Value::as_str)?;
    let is_version = lineage.table == "dna_versions";
    is_version
        .then(|| format!("/v1/mma/fighters/{fighter}/dna?metrics={metric}&include=provenance&as_of={day}"))
}

/// The metric with definition, sums, priors, and the bouts that were summed and left out; `None` where the snapshot is not
/// the one that is served.
pub(super) fn explain_metric(
    lake: &Lake,
    lineage: &RowLineage,
    address: &str,
) -> anyhow::Result<Option<Value>> {
    if lake.current_snapshot()?.is_none_or(|id| id.to_string() != lineage.snapshot) {
        return Ok(None);
    }
    let (status, body) = ask_snapshot(lake.clone(), async |api| api.get(address).await)?;
    if !status.is_success() {
        return Ok(None);
    }
    let mut answer: Value = serde_json::from_slice(&body)?;
    let mut metric = answer["data"]["metrics"][0].take();
    metric["as_of"] = answer["data"]["as_of"].take();
    Ok(Some(metric))
}
