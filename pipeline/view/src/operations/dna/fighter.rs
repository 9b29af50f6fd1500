//! All metrics of a fighter as of a date, or those that are asked for.

use std::collections::BTreeSet;

use fdna_api::{Dna, Failure, MetaExtra, MetricObject};

use super::evidence::MetricEvidence;
use super::reading::PercentilePools;
use super::version::AskedVersion;
use crate::dataset::CompleteDataset;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;
use crate::operations::fighters::find;
use crate::operations::page::list;
use crate::operations::{OperationRequest, to_json};
use crate::params::{listed, must_be, no_such_name};

pub(crate) fn fighter_dna(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let wanted = WantedMetrics::of(data, request)?;
    let version = AskedVersion::choose(data, find(&data, request)?, request.params.date("as_of"))?;
    Ok(request.answer(body(&version, request, &wanted)?, MetaExtra::None {}))
}

/// The metrics asked for, by name or by family.
pub(super) struct WantedMetrics {
    families: Option<BTreeSet<String>>,
    metrics: Option<BTreeSet<String>>,
}

impl WantedMetrics {
    pub(super) fn of(data: CompleteDataset<'_>, request: &OperationRequest) -> Result<Self, Failure> {
        let all = || data.derived.dna.metrics.iter().map(|columns| columns.metric);
        let mut families: Vec<&str> = all().map(|metric| metric.family.as_str()).collect();
        families.dedup();
        let metrics: Vec<&str> = all().map(|metric| metric.name.as_str()).collect();
        Ok(Self {
            families: named(request, "families", &families)?,
            metrics: named(request, "metrics", &metrics)?,
        })
    }

    fn takes(&self, metric: &fdna_schemas::Metric) -> bool {
        let has = |names: &Option<BTreeSet<String>>, name: &str| {
            names.as_ref().is_none_or(|names| names.contains(name))
        };
        has(&self.families, &metric.family) && has(&self.metrics, &metric.name)
    }
}

/// The names of a list, each one of those allowed; `None` without a list.
fn named(
    request: &OperationRequest,
    name: &str,
    allowed: &[&str],
) -> Result<Option<BTreeSet<String>>, Failure> {
    let Some(text) = request.params.text(name) else { return Ok(None) };
    if let Some(wrong) = text.split(',').find(|word| !allowed.contains(word)) {
        return Err(no_such_name(name, wrong, allowed, "/v1/mma/dna/metrics"));
    }
    let too_many = || must_be(name, &format!("a comma-separated list of at most {} names", allowed.len()));
    Ok(Some(listed(allowed, text).ok_or_else(too_many)?.map(str::to_owned).collect()))
}

/// `data` of a fighter's DNA.
pub(super) fn body(
    version: &AskedVersion<'_>,
    request: &OperationRequest,
    wanted: &WantedMetrics,
) -> Result<Vec<u8>, Failure> {
    let evidence = MetricEvidence::of(version);
    let pools = PercentilePools::new(version.data, version.day);
    let with_bouts = request.params.words("include").contains(&"provenance");
    let columns = version.data.derived.dna.metrics.iter().filter(|columns| wanted.takes(columns.metric));
    let metrics: Vec<_> =
        columns.map(|columns| version.metric(columns, &evidence, &pools, with_bouts)).collect();
    let fighter = version.data.fighter_compact(version.fighter, request.shown());
    let body = JsonObject::new().field("fighter", &fighter);
    let fields = request.params.words("fields");
    if fields.is_empty() {
        return Ok(body.and(&to_json(&Dna { head: version.head(), metrics })?).finish());
    }
    let metrics: Vec<_> = metrics.iter().map(|metric| some_of(metric, fields)).collect::<Result<_, _>>()?;
    Ok(body.and(&to_json(&version.head())?).field("metrics", &list(&metrics)).finish())
}

/// These fields of a metric, and which it is.
fn some_of(metric: &MetricObject<'_>, fields: &[&str]) -> Result<Vec<u8>, Failure> {
    let mut whole = serde_json::to_value(metric).unwrap_or_default();
    if let Some(whole) = whole.as_object_mut() {
        whole.retain(|name, _| name == "metric" || fields.contains(&name.as_str()));
    }
    to_json(&whole)
}
