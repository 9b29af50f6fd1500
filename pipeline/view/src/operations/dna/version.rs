//! The version of a fighter that an answer speaks of, and its metrics as they are sent.

use std::cell::OnceCell;
use std::sync::LazyLock;

use chrono::NaiveDate;
use fdna_api::{
    DnaContext, DnaHead, ErrorCode, ErrorDetails, Failure, Interval, MetricObject, MetricProvenance, Origin,
    Percentile, Sample, Shrinkage,
};
use fdna_compare::{INTERVAL_LEVEL, NoVersion, context_on, latest, version_as_of};
use fdna_schemas::{Estimator, MetricDefinitions};

use super::evidence::MetricEvidence;
use super::evidence::is_of_all_bouts;
use super::reading::{HistoryQuery, MetricReading, PercentilePools, PoolPlace};
use crate::dataset::CompleteDataset;
use crate::dataset::dna::{MetricRow, VersionHead};
use crate::dataset::stats::SOURCES;
use crate::operations::not_read;

/// How far back the bouts of a prior reach.
static PRIOR_WINDOW: LazyLock<String> = LazyLock::new(|| MetricDefinitions::get().settings.prior_window());

/// The chosen version, its dates as text.
pub(crate) struct AskedVersion<'d> {
    pub(crate) data: CompleteDataset<'d>,
    /// Row of the fighter.
    pub(crate) fighter: usize,
    pub(crate) stored: VersionHead,
    /// The asked date; without one, the snapshot's newest.
    pub(crate) day: NaiveDate,
    /// Day of the latest eligible bout.
    pub(crate) last: NaiveDate,
    valid_to: Option<NaiveDate>,
    as_of: String,
    valid_from: String,
    /// Made when somebody asks for them.
    texts: OnceCell<HeadTexts>,
    metrics: OnceCell<Vec<MetricRow<'d>>>,
}

/// Dates of [`AskedVersion::head`] that none of its metrics says.
struct HeadTexts {
    valid_to: Option<String>,
    facts_until: Option<String>,
    first_bout_date: String,
    last_bout_date: String,
}

impl<'d> AskedVersion<'d> {
    /// The version that holds on a day; without one, on the snapshot's newest, which is the latest.
    ///
    /// # Errors
    /// There is none: 404 with the reason.
    pub(crate) fn choose(
        data: CompleteDataset<'d>,
        fighter: usize,
        as_of: Option<NaiveDate>,
    ) -> Result<Self, Failure> {
        let versions = data.derived.dna.versions(fighter);
        let day = as_of.or_else(|| data.newest_day());
        let chosen = day.map_or_else(|| latest(versions.dates), |day| version_as_of(versions.dates, day));
        let chosen = chosen.map_err(|none| not_available(none, as_of))?;
        let (stored, dates) = (versions.head(chosen.index), versions.dates[chosen.index]);
        let day = day.unwrap_or(dates.valid_from);
        Ok(Self {
            data,
            fighter,
            stored,
            day,
            last: dates.last_bout_date,
            valid_to: chosen.valid_to,
            as_of: day.to_string(),
            valid_from: dates.valid_from.to_string(),
            texts: OnceCell::new(),
            metrics: OnceCell::new(),
        })
    }

    /// Class of the latest eligible bout that has one: the population of priors and percentiles.
    pub(crate) fn weight_class(&self) -> Option<&'d str> {
        self.data.derived.dna.weight_class(self.stored.row)
    }

    /// Last day on which it holds.
    pub(super) fn valid_to(&self) -> Option<&str> {
        self.texts().valid_to.as_deref()
    }

    fn texts(&self) -> &HeadTexts {
        self.texts.get_or_init(|| HeadTexts {
            valid_to: self.valid_to.map(|day| day.to_string()),
            facts_until: self.data.info.facts_until.map(|day| day.to_string()),
            first_bout_date: self.stored.first_bout_date.to_string(),
            last_bout_date: self.last.to_string(),
        })
    }

    /// What an answer says of the version before its metrics.
    pub(crate) fn head(&self) -> DnaHead<'_> {
        let bouts_without_statistics =
            self.data.derived.pasts[self.fighter].bouts_without_statistics(self.day);
        let texts = self.texts();
        let context = context_on(self.day, self.data.fighters.rows[self.fighter].born, self.last);
        DnaHead {
            version: self.stored.version,
            definition_version: self.data.derived.dna.definition_version(self.stored.row),
            as_of: &self.as_of,
            valid_from: &self.valid_from,
            valid_to: texts.valid_to.as_deref(),
            is_current: bouts_without_statistics == 0 && self.data.tells_until(self.day),
            bouts_without_statistics,
            facts_until: texts.facts_until.as_deref(),
            eligible_bouts: self.stored.eligible_bouts,
            eligible_rounds: self.stored.eligible_rounds,
            first_bout_date: &texts.first_bout_date,
            last_bout_date: &texts.last_bout_date,
            weight_class: self.weight_class(),
            context: DnaContext {
                age_years: context.age_years,
                days_since_last_eligible_bout: context.days_since_last_eligible_bout,
            },
        }
    }

    /// Whose metrics these are, and as of when.
    pub(crate) fn whose(&self) -> HistoryQuery<'d> {
        HistoryQuery { fighter: self.fighter, weight_class: self.weight_class(), day: self.day }
    }

    /// All metrics of the version, in the order of the metric definitions.
    ///
    /// # Errors
    /// They cannot be read any more: 500.
    pub(crate) fn metrics(&self) -> Result<&[MetricRow<'d>], Failure> {
        if let Some(metrics) = self.metrics.get() {
            return Ok(metrics);
        }
        let metrics = self.data.derived.dna.records.metrics(self.stored.row).map_err(not_read)?;
        Ok(self.metrics.get_or_init(|| metrics))
    }

    /// The metric of this name.
    ///
    /// # Errors
    /// As for [`Self::metrics`].
    pub(super) fn stored_metric(&self, name: &str) -> Result<Option<&MetricRow<'d>>, Failure> {
        Ok(self.metrics()?.iter().find(|stored| stored.metric.name == name))
    }

    /// What a metric says on the asked day.
    pub(crate) fn reading<'a>(&self, stored: &MetricRow<'a>) -> MetricReading<'a> {
        MetricReading::of(self.data, stored, self.whose())
    }

    /// A metric of the version, with the bouts it leaves out and, if asked, those it rests on.
    pub(crate) fn metric<'a>(
        &'a self,
        stored: &MetricRow<'a>,
        evidence: &'a MetricEvidence,
        pools: &PercentilePools<'_>,
        with_bouts: bool,
    ) -> MetricObject<'a> {
        let metric = stored.metric;
        let reading = self.reading(stored);
        let bouts = evidence.bouts(metric, reading.bouts);
        let place = pools.place(stored, &reading, self.whose());
        MetricObject {
            metric: &metric.name,
            family: &metric.family,
            unit: metric.unit.name(),
            direction: metric.direction.name(),
            status: reading.status,
            value: reading.value,
            raw_value: reading.raw_value,
            interval: interval(stored),
            sample: self.sample(stored, reading.bouts),
            shrinkage: self.shrinkage(stored),
            confidence: reading.confidence,
            percentile: place.ok().and_then(|place| self.percentile(place)),
            percentile_reason: place.err(),
            confidence_reasons: reading.reasons,
            as_of: &self.as_of,
            valid_from: &self.valid_from,
            definition_version: self.data.derived.dna.definition_version(self.stored.row),
            origin: Origin::HouseDerived.name(),
            is_official: false,
            provenance: MetricProvenance {
                snapshot_id: self.data.snapshot_id(),
                sources: SOURCES,
                first_bout_date: bouts.and_then(|b| b.first).map(|day| day.to_string()),
                last_bout_date: bouts.and_then(|b| b.last).map(|day| day.to_string()),
                excluded: bouts.map(|b| b.excluded.as_slice().into()),
                bout_ids: with_bouts.then(|| bouts.map(|b| b.summed.as_slice().into())),
            },
        }
    }

    fn sample(&self, stored: &MetricRow<'_>, bouts: i32) -> Sample<'d> {
        let (metric, numbers, eligible) = (stored.metric, &stored.numbers, self.stored.eligible_bouts);
        Sample {
            bouts,
            rounds: numbers.rounds,
            exposure: numbers.exposure,
            exposure_unit: metric.min.unit.name(),
            numerator: numbers.numerator.map(Into::into),
            denominator: numbers.denominator.map(Into::into),
            numerator_unit: MetricDefinitions::get().sum_unit(&metric.numerator),
            denominator_unit: MetricDefinitions::get().sum_unit(&metric.denominator),
            eligible_bouts: eligible,
            // Rated or fought bouts, eligible or not, are no share of the eligible ones.
            coverage: (eligible > 0 && !is_of_all_bouts(metric))
                .then(|| f64::from(bouts) / f64::from(eligible)),
        }
    }

    fn shrinkage(&self, stored: &MetricRow<'_>) -> Option<Shrinkage<'d>> {
        Some(Shrinkage {
            weight: stored.numbers.weight?,
            prior_mean: stored.numbers.prior_mean?,
            prior_strength: stored.numbers.prior_strength?,
            prior_population: self.weight_class().unwrap_or("ALL"),
            prior_window: &PRIOR_WINDOW,
        })
    }

    fn percentile(&self, place: PoolPlace) -> Option<Percentile<'d>> {
        let PoolPlace { value, pool_size } = place;
        Some(Percentile { value, pool: self.weight_class()?, pool_size })
    }
}

/// The method is not stored: it follows from the estimator, and an interval of no width has none.
#[expect(clippy::float_cmp, reason = "a degenerate interval is stored as the value, twice")]
fn interval(stored: &MetricRow<'_>) -> Option<Interval> {
    let (low, high) = (stored.numbers.interval_low?, stored.numbers.interval_high?);
    let method = match stored.metric.estimator {
        _ if low == high => "degenerate",
        Estimator::Rate => "gamma",
        Estimator::Proportion | Estimator::Share => "beta",
        Estimator::Difference => "normal",
        Estimator::Fact | Estimator::Elo => return None,
    };
    Some(Interval { level: INTERVAL_LEVEL, low, high, method })
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
    Failure::new(ErrorCode::DnaNotAvailable, message).with(ErrorDetails {
        reason: Some(none.reason().to_owned()),
        as_of: Some(day.map(|day| day.to_string())),
        first_valid_from: Some(first),
        ..ErrorDetails::default()
    })
}
