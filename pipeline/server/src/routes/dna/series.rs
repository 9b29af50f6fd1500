//! One metric of one fighter, version after version.

use fdna_api::{DnaSeries, Failure, SeriesPoint};

use super::evidence::Evidence;
use super::query::metric;
use super::reading::Pools;
use super::version::Version;
use crate::dataset::Whole;
use crate::respond::Answer;
use crate::routes::fighters::find;
use crate::routes::page::Page;
use crate::routes::{Asked, to_json};
use crate::splice::Object;

/// The oldest version first, of those that begin in the asked span.
pub(crate) fn fighter_dna_series(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let columns = metric(data, asked)?;
    let fighter = find(&data, asked)?;
    let (from, to) = asked.params.span()?;
    // Without any there is no series: 404 that says why.
    Version::choose(data, fighter, None)?;
    let begins = data.derived.dna.versions(fighter).dates.iter().map(|dates| dates.valid_from);
    let is_asked =
        |day: &chrono::NaiveDate| from.is_none_or(|from| *day >= from) && to.is_none_or(|to| *day <= to);
    let days: Vec<chrono::NaiveDate> = begins.filter(is_asked).collect();
    let page = Page::of(&data, asked, days.len())?;
    let versions = page.take(days).into_iter().map(|day| Version::choose(data, fighter, Some(day)));
    let versions = versions.collect::<Result<Vec<_>, _>>()?;
    let evidence: Vec<Evidence> = versions.iter().map(Evidence::of).collect();
    let points = versions.iter().zip(&evidence).map(|(version, evidence)| {
        let value = version.metric(columns, evidence, &Pools::new(data, version.day), false);
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
    });
    let metric = columns.metric;
    let series = DnaSeries {
        metric: &metric.name,
        family: &metric.family,
        label: &metric.label,
        unit: metric.unit.name(),
        direction: metric.direction.name(),
        snapshot_id: data.snapshot_id(),
        points: points.collect(),
    };
    let body = Object::new().field("fighter", &data.fighter_compact(fighter, asked.shown()));
    Ok(asked.answer(body.and(&to_json(&series)?).finish(), page.meta()))
}
