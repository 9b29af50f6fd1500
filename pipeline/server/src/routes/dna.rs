//! Fight DNA of a fighter as of a date.

use chrono::NaiveDate;
use fdna_api::{
    Dna, DnaContext, ErrorCode, Failure, Id, MetaExtra, MetricObject, MetricProvenance, Origin, Sample,
    Shrinkage,
};
use fdna_compare::{Chosen, NoVersion, context, latest, version_as_of};
use serde_json::json;

use super::fighters::find;
use super::{Asked, to_json};
use crate::Dataset;
use crate::dataset::dna::{Head, MetricColumns, Versions, float};
use crate::dataset::stats::SOURCES;
use crate::respond::Answer;
use crate::splice::Object;

/// How far back the bouts of a prior reach.
const PRIOR_WINDOW: &str = "5y";

pub(crate) fn fighter_dna(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let fighter = find(data, asked)?;
    let versions = data.dna.versions(fighter);
    let day = asked.params.date("as_of");
    let chosen = day.map_or_else(|| latest(&versions.dates), |day| version_as_of(&versions.dates, day));
    let chosen = chosen.map_err(|none| not_available(none, day))?;
    let version = Version::new(data, versions, chosen, day);
    let evidence =
        asked.params.words("include").contains(&"provenance").then(|| Evidence::of(data, fighter, &version));
    let dna = to_json(&version.dna(data, data.fighters.rows[fighter].born, evidence.as_ref()))?;
    let body = Object::new().field("fighter", &data.fighters.rows[fighter].compact).and(&dna);
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

fn not_available(none: NoVersion, day: Option<NaiveDate>) -> Failure {
    let message = match none {
        NoVersion::NoEligibleBout => "fighter has no eligible bout".to_owned(),
        NoVersion::BeforeFirstVersion { first_valid_from } => {
            format!(
                "fighter has no eligible bout before this date: the first version holds from {first_valid_from}"
            )
        }
    };
    let first = match none {
        NoVersion::NoEligibleBout => None,
        NoVersion::BeforeFirstVersion { first_valid_from } => Some(first_valid_from.to_string()),
    };
    Failure::new(ErrorCode::DnaNotAvailable, message).with(json!({
        "reason": none.reason(),
        "as_of": day.map(|d| d.to_string()),
        "first_valid_from": first,
    }))
}

/// The chosen version, its dates as text.
struct Version {
    head: Head,
    day: NaiveDate,
    last: NaiveDate,
    as_of: String,
    valid_from: String,
    valid_to: Option<String>,
    facts_until: Option<String>,
    first_bout_date: String,
    last_bout_date: String,
}

impl Version {
    /// Without an asked date the version is taken at the later of its first day and the end of the facts.
    fn new(data: &Dataset, versions: &Versions, chosen: Chosen, asked: Option<NaiveDate>) -> Self {
        let (head, dates) = (versions.head(chosen.index), versions.dates[chosen.index]);
        let facts_until = data.info.facts_until;
        let newest = facts_until.map_or(dates.valid_from, |until| until.max(dates.valid_from));
        let day = asked.unwrap_or(newest);
        Self {
            head,
            day,
            last: dates.last_bout_date,
            as_of: day.to_string(),
            valid_from: dates.valid_from.to_string(),
            valid_to: chosen.valid_to.map(|d| d.to_string()),
            facts_until: facts_until.map(|d| d.to_string()),
            first_bout_date: head.first_bout_date.to_string(),
            last_bout_date: dates.last_bout_date.to_string(),
        }
    }

    fn dna<'a>(
        &'a self,
        data: &'a Dataset,
        born: Option<NaiveDate>,
        evidence: Option<&'a Evidence>,
    ) -> Dna<'a> {
        let context = context(self.day, born, self.last);
        let metric = |columns| self.metric(data, columns, evidence);
        Dna {
            version: self.head.version,
            definition_version: data.dna.definition_version(self.head.row),
            as_of: &self.as_of,
            valid_from: &self.valid_from,
            valid_to: self.valid_to.as_deref(),
            facts_until: self.facts_until.as_deref(),
            eligible_bouts: self.head.eligible_bouts,
            eligible_rounds: self.head.eligible_rounds,
            first_bout_date: &self.first_bout_date,
            last_bout_date: &self.last_bout_date,
            weight_class: data.dna.weight_class(self.head.row),
            context: DnaContext {
                age_years: context.age_years,
                days_since_last_eligible_bout: context.days_since_last_eligible_bout,
            },
            metrics: data.dna.metrics.iter().map(metric).collect(),
        }
    }

    fn metric<'a>(
        &'a self,
        data: &'a Dataset,
        columns: &'a MetricColumns,
        evidence: Option<&'a Evidence>,
    ) -> MetricObject<'a> {
        let (row, metric) = (self.head.row, columns.metric);
        MetricObject {
            metric: &metric.name,
            family: &metric.family,
            unit: metric.unit.name(),
            direction: metric.direction.name(),
            status: columns.status.value(row),
            value: float(&columns.value, row),
            raw_value: float(&columns.raw_value, row),
            interval: None,
            sample: self.sample(columns),
            shrinkage: self.shrinkage(data, columns),
            confidence: columns.confidence.value(row),
            confidence_reasons: columns.reasons.value(row).split_whitespace().collect(),
            percentile: None,
            as_of: &self.as_of,
            valid_from: &self.valid_from,
            definition_version: data.dna.definition_version(row),
            origin: Origin::HouseDerived.name(),
            is_official: false,
            provenance: MetricProvenance {
                snapshot_id: data.snapshot_id(),
                sources: SOURCES,
                first_bout_date: &self.first_bout_date,
                last_bout_date: &self.last_bout_date,
                excluded: None,
                bout_ids: evidence.map(|e| e.bouts(columns, row)),
            },
        }
    }

    fn sample<'a>(&self, columns: &'a MetricColumns) -> Sample<'a> {
        let (row, metric) = (self.head.row, columns.metric);
        let (bouts, denominator) = (columns.bouts.value(row), columns.denominator.value(row));
        let eligible = self.head.eligible_bouts;
        Sample {
            bouts,
            rounds: columns.rounds.value(row),
            exposure: denominator as f64 / metric.exposure_per(),
            exposure_unit: metric.min.unit.name(),
            numerator: columns.numerator.value(row),
            denominator,
            eligible_bouts: eligible,
            coverage: (eligible > 0).then(|| f64::from(bouts) / f64::from(eligible)),
        }
    }

    fn shrinkage<'a>(&self, data: &'a Dataset, columns: &MetricColumns) -> Option<Shrinkage<'a>> {
        let row = self.head.row;
        Some(Shrinkage {
            weight: float(&columns.weight, row)?,
            prior_mean: float(&columns.prior_mean, row)?,
            prior_strength: float(&columns.prior_strength, row)?,
            prior_population: data.dna.weight_class(row).unwrap_or("all"),
            prior_window: PRIOR_WINDOW,
        })
    }
}

/// Bouts that a version can rest on, oldest first: all, and those with control time of both fighters.
struct Evidence {
    all: Vec<Id>,
    with_control: Vec<Id>,
}

impl Evidence {
    fn of(data: &Dataset, fighter: usize, version: &Version) -> Self {
        let (first, last) = (version.head.first_bout_date, version.last);
        let bouts = data.fighters.rows[fighter].bouts.iter().rev().map(|&row| &data.bouts.rows[row]);
        let timed = bouts.filter_map(|bout| {
            let is_timed = bout.result.as_ref()?.total_secs? > 0;
            (is_timed && bout.date >= first && bout.date <= last).then_some((bout, bout.stats.as_ref()?))
        });
        let mut evidence = Self { all: Vec::new(), with_control: Vec::new() };
        for (bout, stats) in timed {
            evidence.all.push(Id(bout.id));
            if stats.totals.iter().all(|t| t.control_secs.is_some()) {
                evidence.with_control.push(Id(bout.id));
            }
        }
        evidence
    }

    /// The bouts of a metric, if they are as many as the version says; otherwise they cannot be told.
    fn bouts(&self, columns: &MetricColumns, row: usize) -> Option<&[Id]> {
        let needs_control = columns.metric.source_columns().iter().any(|c| c.ends_with("control_secs"));
        let bouts = if needs_control { &self.with_control } else { &self.all };
        let stated = usize::try_from(columns.bouts.value(row)).ok()?;
        (bouts.len() == stated).then_some(bouts.as_slice())
    }
}
