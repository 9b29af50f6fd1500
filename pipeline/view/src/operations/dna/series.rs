//! One metric of one fighter, version after version.

use fdna_api::{DnaSeries, Failure, FighterDnaSeries, SeriesPoint};

use super::evidence::MetricEvidence;
use super::query::metric;
use super::reading::PercentilePools;
use super::version::AskedVersion;
use crate::dataset::CompleteDataset;
use crate::dataset::dna::MetricRow;
use crate::operations::OperationRequest;
use crate::operations::OperationResponse;
use crate::operations::entity_lookup::fighter_row;
use crate::operations::page::Page;

/// The oldest version first, of those that begin in the asked span.
pub(crate) fn fighter_dna_series(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let metric = metric(request)?;
    let fighter = fighter_row(&data, request)?;
    let (from, to) = request.params.span()?;
    // Without any there is no series: 404 that says why.
    AskedVersion::choose(data, fighter, None)?;
    let begins = data.derived.dna.versions(fighter).dates.iter().map(|dates| dates.valid_from);
    let is_asked =
        |day: &chrono::NaiveDate| from.is_none_or(|from| *day >= from) && to.is_none_or(|to| *day <= to);
    let days: Vec<chrono::NaiveDate> = begins.filter(is_asked).collect();
    let page = Page::of(&data, request, days.len())?;
    let versions = page.take(days).into_iter().map(|day| AskedVersion::choose(data, fighter, Some(day)));
    let versions = versions.collect::<Result<Vec<_>, _>>()?;
    let evidence: Vec<MetricEvidence> = versions.iter().map(MetricEvidence::of).collect();
    let points = versions.iter().zip(&evidence).filter_map(|(version, evidence)| {
        let stored = version.stored_metric(&metric.name).transpose()?;
        Some(stored.map(|stored| point(version, stored, evidence)))
    });
    let series = DnaSeries {
        metric: &metric.name,
        family: &metric.family,
        label: &metric.label,
        unit: metric.unit.name(),
        direction: metric.direction.name(),
        snapshot_id: data.snapshot_id(),
        points: points.collect::<Result<_, Failure>>()?,
    };
    let fighter = data.fighter_compact(fighter, request.shown());
    request.answer(&FighterDnaSeries { fighter, series }, page.meta())
}

fn point<'a>(
    version: &'a AskedVersion<'_>,
    stored: &MetricRow<'a>,
    evidence: &'a MetricEvidence,
) -> SeriesPoint<'a> {
    let value = version.metric(stored, evidence, &PercentilePools::new(version.data, version.day), false);
    SeriesPoint {
        version: version.stored.version,
        valid_from: value.valid_from,
        valid_to: version.valid_to(),
        status: value.status,
        value: value.value,
        raw_value: value.raw_value,
        interval: value.interval,
        percentile: value.percentile,
        sample: value.sample,
        confidence: value.confidence,
        confidence_reasons: value.confidence_reasons,
    }
}
