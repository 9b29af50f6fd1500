//! All metrics of a fighter as of a date, or those that are asked for.

use std::collections::BTreeSet;

use fdna_api::operations::parameters::{AS_OF, FAMILIES, FIELDS, INCLUDE, METRICS};
use fdna_api::{Dna, Failure, FighterDna, MetaExtra, MetricFields, MetricObject, MetricShown};
use fdna_schemas::{Metric, MetricDefinitions};

use super::evidence::MetricEvidence;
use super::reading::PercentilePools;
use super::version::AskedVersion;
use crate::dataset::CompleteDataset;
use crate::operations::OperationResponse;
use crate::operations::entity_lookup::fighter_row;
use crate::operations::{OperationRequest, not_written};
use fdna_api::param::Text;
use fdna_api::{Param, listed, must_be, no_such_name};

pub(crate) fn fighter_dna(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let wanted = WantedMetrics::of(request)?;
    let version = AskedVersion::choose(data, fighter_row(&data, request)?, request.params.get(AS_OF))?;
    let evidence = MetricEvidence::of(&version);
    request.answer(&body(&version, &evidence, request, &wanted)?, MetaExtra::None {})
}

/// The metrics asked for, by name or by family.
pub(super) struct WantedMetrics {
    families: Option<BTreeSet<String>>,
    metrics: Option<BTreeSet<String>>,
}

impl WantedMetrics {
    pub(super) fn of(request: &OperationRequest) -> Result<Self, Failure> {
        let all = || MetricDefinitions::get().metrics.iter();
        let mut families: Vec<&str> = all().map(|metric| metric.family.as_str()).collect();
        families.dedup();
        let metrics: Vec<&str> = all().map(|metric| metric.name.as_str()).collect();
        Ok(Self {
            families: named(request, FAMILIES, &families)?,
            metrics: named(request, METRICS, &metrics)?,
        })
    }

    fn takes(&self, metric: &Metric) -> bool {
        let has = |names: &Option<BTreeSet<String>>, name: &str| {
            names.as_ref().is_none_or(|names| names.contains(name))
        };
        has(&self.families, &metric.family) && has(&self.metrics, &metric.name)
    }
}

/// The names of a list, each one of those allowed; `None` without a list.
fn named(
    request: &OperationRequest,
    param: Param<Text>,
    allowed: &[&str],
) -> Result<Option<BTreeSet<String>>, Failure> {
    let Some(text) = request.params.get(param) else { return Ok(None) };
    if let Some(wrong) = text.split(',').find(|word| !allowed.contains(word)) {
        return Err(no_such_name(param.name(), wrong, allowed, "/v1/mma/dna/metrics"));
    }
    let too_many =
        || must_be(param.name(), &format!("a comma-separated list of at most {} names", allowed.len()));
    Ok(Some(listed(allowed, text).ok_or_else(too_many)?.map(str::to_owned).collect()))
}

/// `data` of a fighter's DNA.
pub(super) fn body<'a>(
    version: &'a AskedVersion<'_>,
    evidence: &'a MetricEvidence,
    request: &OperationRequest,
    wanted: &WantedMetrics,
) -> Result<FighterDna<'a>, Failure> {
    let pools = PercentilePools::new(version.data, version.day);
    let with_bouts = request.params.get(INCLUDE).contains(&"provenance");
    let fields = request.params.get(FIELDS);
    let stored = version.metrics()?.iter().filter(|stored| wanted.takes(stored.metric));
    let metrics = stored.map(|stored| {
        let metric = version.metric(stored, evidence, &pools, with_bouts);
        if fields.is_empty() { Ok(MetricShown::Whole(Box::new(metric))) } else { some_of(&metric, fields) }
    });
    let metrics = metrics.collect::<Result<_, _>>()?;
    Ok(FighterDna {
        fighter: version.data.dataset().fighter_compact(version.fighter, request.shown()),
        dna: Dna { head: version.head(), metrics },
    })
}

/// These fields of a metric, and which it is.
fn some_of(metric: &MetricObject<'_>, fields: &[&str]) -> Result<MetricShown<'static>, Failure> {
    let mut whole = serde_json::to_value(metric).map_err(not_written)?;
    let fields_of = whole.as_object_mut().map(std::mem::take).unwrap_or_default();
    let is_asked = |name: &str| name == "metric" || fields.contains(&name);
    let asked = fields_of.into_iter().filter(|(name, _)| is_asked(name));
    Ok(MetricShown::Part(MetricFields(asked.collect())))
}
