//! A fighter in bouts of one kind, as of a date.

use std::collections::BTreeSet;

use fdna_api::operations::fighter_splits;
use fdna_api::operations::parameters::AS_OF;
use fdna_api::{
    Failure, FighterSplits, Interval, MetaExtra, SPLIT_NOTES, Split, SplitDelta, SplitMetric, SplitOverall,
    SplitSample, Splits,
};
use fdna_compare::INTERVAL_LEVEL;
use fdna_compare::split::{SplitDifference, SplitSums, raw_split_value, split_value};
use fdna_schemas::{Metric, MetricDefinitions};

use super::OperationRequest;
use super::derived::derived;
use super::dna::AskedVersion;
use super::entity_lookup::fighter_row;
use crate::dataset::CompleteDataset;
use crate::dataset::dna::MetricRow;
use crate::dataset::splits::SplitRow;
use crate::operations::{OperationResponse, not_read};
use fdna_api::param::{Text, Words};
use fdna_api::{Param, Params, listed, must_be, no_such_name};

/// Dimensions of splits: each is a parameter that filters it.
const DIMENSIONS: [Param<Words>; 5] = [
    fighter_splits::OPPONENT_STANCE,
    fighter_splits::RESULT,
    fighter_splits::SCHEDULED_ROUNDS,
    fighter_splits::TITLE,
    fighter_splits::WEIGHT_CLASS,
];

pub(crate) fn fighter_splits(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let wanted = WantedSplits::of(&request.params)?;
    let version = AskedVersion::choose(data, fighter_row(&data, request)?, request.params.get(AS_OF))?;
    let splits = data.derived.splits.as_of(version.fighter, version.stored.version).map_err(not_read)?;
    let shown = splits.iter().filter(|split| is_asked(&request.params, split));
    let overall: Vec<MetricRow<'_>> =
        version.metrics()?.iter().filter(|stored| stored.metric.split).copied().collect();
    let splits = shown.map(|row| split(&overall, row, &wanted));
    let is_whole = request.params.get(fighter_splits::DISTINGUISHABLE).is_none();
    let splits = splits.filter(|split| is_whole || !split.metrics.is_empty()).collect();
    let splits = Splits { version: derived(&version), notes: SPLIT_NOTES, splits };
    let fighter = data.fighter_compact(version.fighter, request.shown());
    request.answer(&FighterSplits { fighter, splits }, MetaExtra::None {})
}

/// Without a filter every split is asked, otherwise those that a filter names.
fn is_asked(params: &Params, split: &SplitRow) -> bool {
    let filters = DIMENSIONS.map(|dimension| (dimension.name(), params.get(dimension)));
    let is_filtered = filters.iter().any(|(_, keys)| !keys.is_empty());
    let is_named = |(name, keys): &(&str, &[&str])| *name == &*split.dimension && keys.contains(&&*split.key);
    !is_filtered || filters.iter().any(is_named)
}

/// The metrics asked for.
struct WantedSplits {
    names: BTreeSet<&'static str>,
    distinguishable: Option<bool>,
}

impl WantedSplits {
    fn of(params: &Params) -> Result<Self, Failure> {
        let metrics = || MetricDefinitions::get().metrics.iter().filter(|m| m.split);
        let names = named(params, fighter_splits::METRIC, metrics().map(|m| m.name.as_str()))?;
        let families = named(params, fighter_splits::FAMILY, metrics().map(|m| m.family.as_str()))?;
        let is_wanted = |metric: &&Metric| {
            names.contains(metric.name.as_str()) && families.contains(metric.family.as_str())
        };
        let names = metrics().filter(is_wanted).map(|m| m.name.as_str()).collect();
        Ok(Self { names, distinguishable: params.get(fighter_splits::DISTINGUISHABLE) })
    }

    /// Whether a metric is asked for that differs so from the overall value.
    fn has(&self, metric: &SplitMetric<'_>) -> bool {
        let differs = metric.delta.as_ref().and_then(|delta| delta.distinguishable);
        self.distinguishable.is_none_or(|wanted| wanted == differs.unwrap_or(false))
    }
}

/// The names of a comma list, each one of those allowed; all of these without a list.
fn named<'a>(
    params: &Params,
    param: Param<Text>,
    allowed: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, Failure> {
    let mut words: Vec<&str> = allowed.collect();
    words.dedup();
    let Some(text) = params.get(param) else { return Ok(words.into_iter().collect()) };
    if let Some(wrong) = text.split(',').find(|word| !words.contains(word)) {
        return Err(no_such_name(param.name(), wrong, &words, "/v1/mma/dna/metrics"));
    }
    let too_many =
        || must_be(param.name(), &format!("a comma-separated list of at most {} names", words.len()));
    Ok(listed(&words, text).ok_or_else(too_many)?.collect())
}

fn split<'a>(overall: &[MetricRow<'a>], row: &'a SplitRow, wanted: &WantedSplits) -> Split<'a> {
    let pairs = overall.iter().zip(&row.sums);
    let pairs = pairs.filter(|(stored, _)| wanted.names.contains(stored.metric.name.as_str()));
    let metrics = pairs.map(|(stored, sums)| metric(stored, *sums));
    Split {
        dimension: &row.dimension,
        key: &row.key,
        bouts: row.bouts,
        rounds: row.rounds,
        metrics: metrics.filter(|metric| wanted.has(metric)).collect(),
    }
}

fn metric<'a>(stored: &MetricRow<'a>, sums: SplitSums) -> SplitMetric<'a> {
    let (metric, overall) = (stored.metric, stored.published());
    let split = split_value(&overall, sums);
    let (ok, none) = (split.ok(), split.err());
    SplitMetric {
        metric: &metric.name,
        family: &metric.family,
        unit: metric.unit.name(),
        direction: metric.direction.name(),
        status: none.map_or("ok", |none| none.status()),
        reason: none.map(|none| none.reason()),
        value: ok.map(|split| split.value),
        raw_value: raw_split_value(metric, sums),
        interval: ok.and_then(|split| split.interval).map(normal),
        weight: ok.map(|split| split.weight),
        sample: SplitSample { numerator: sums.numerator, denominator: sums.denominator, bouts: sums.bouts },
        overall: SplitOverall {
            status: stored.status,
            value: overall.value,
            confidence: overall.confidence.name(),
            prior_strength: overall.prior_strength,
        },
        delta: ok.map(|split| delta(split.delta)),
    }
}

fn delta(delta: SplitDifference) -> SplitDelta {
    SplitDelta {
        value: delta.value,
        interval: delta.interval.map(normal),
        distinguishable: delta.distinguishable,
    }
}

fn normal((low, high): (f64, f64)) -> Interval {
    Interval { level: INTERVAL_LEVEL, low, high, method: "normal" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_api::{ParameterKind, operation};
    use fdna_model::{Stance, WeightClass};

    fn words(name: &str) -> Vec<&'static str> {
        let mut parameters = operation("fighter_splits").unwrap().parameters();
        match parameters.find(|p| p.name == name).unwrap().kind {
            ParameterKind::Choices { words } => words.to_vec(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_dimension_is_a_filter_with_the_keys_of_the_field() {
        assert!(DIMENSIONS.iter().all(|dimension| !words(dimension.name()).is_empty()));
        assert_eq!(words("weight_class"), WeightClass::ALL.map(WeightClass::name));
        let stances = words("opponent_stance");
        assert!(stances.iter().all(|word| Stance::parse(word).is_some_and(|s| s.name() == *word)));
    }
}
