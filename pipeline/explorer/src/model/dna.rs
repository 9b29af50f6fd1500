//! Fight DNA, profiles and matchups.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Names;

#[derive(Debug, Deserialize)]
pub(crate) struct MetricDefinitions {
    pub(crate) definition_version: String,
    pub(crate) constants_fitted_to: String,
    pub(crate) gates_measured_to: String,
    pub(crate) families: Vec<Family>,
    pub(crate) metrics: Vec<Definition>,
}

impl MetricDefinitions {
    pub(crate) fn find(&self, name: &str) -> Option<&Definition> {
        self.metrics.iter().find(|metric| metric.metric == name)
    }

    /// For a field to choose from, family by family.
    pub(crate) fn options(&self) -> Vec<(String, String)> {
        self.metrics.iter().map(|metric| (metric.metric.clone(), metric.label.clone())).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Family {
    pub(crate) family: String,
    pub(crate) meaning: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Definition {
    pub(crate) metric: String,
    pub(crate) family: String,
    pub(crate) label: String,
    pub(crate) short_label: String,
    pub(crate) meaning: String,
    pub(crate) unit: String,
    pub(crate) display_unit: String,
    pub(crate) display_scale: f64,
    pub(crate) decimals: usize,
    pub(crate) direction: String,
    pub(crate) estimator: String,
    pub(crate) kernel: String,
    pub(crate) numerator: Option<ColumnSum>,
    pub(crate) denominator: Option<ColumnSum>,
    pub(crate) source_columns: Vec<String>,
    pub(crate) min_sample: MinSample,
    pub(crate) prior: Option<Prior>,
    pub(crate) validity: Validity,
    pub(crate) gate: Option<Gate>,
    pub(crate) caveats: Vec<String>,
    pub(crate) history: Vec<DefinitionChange>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ColumnSum {
    pub(crate) columns: Vec<String>,
    pub(crate) per: f64,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct MinSample {
    pub(crate) value: i64,
    pub(crate) unit: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Prior {
    pub(crate) strength_bouts: f64,
    pub(crate) variance: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Validity {
    pub(crate) class: Option<String>,
    pub(crate) out_of_time_r2: Option<f64>,
    pub(crate) reliability: Option<f64>,
    pub(crate) interval_coverage: Option<f64>,
    pub(crate) test_years: Option<Years>,
    pub(crate) n: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Years {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Gate {
    pub(crate) min_z: f64,
    pub(crate) hold_share: f64,
    pub(crate) bouts: i64,
    pub(crate) years: Years,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DefinitionChange {
    pub(crate) version: i64,
    pub(crate) note: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dna {
    pub(crate) fighter: Names,
    pub(crate) version: i64,
    pub(crate) as_of: String,
    pub(crate) valid_from: String,
    pub(crate) valid_to: Option<String>,
    pub(crate) eligible_bouts: i64,
    pub(crate) weight_class: Option<String>,
    pub(crate) context: DnaContext,
    pub(crate) metrics: Vec<Metric>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DnaContext {
    pub(crate) age_years: Option<i64>,
    pub(crate) days_since_last_eligible_bout: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Metric {
    pub(crate) metric: String,
    pub(crate) family: String,
    pub(crate) status: String,
    pub(crate) value: Option<f64>,
    pub(crate) raw_value: Option<f64>,
    pub(crate) interval: Option<Interval>,
    pub(crate) sample: Sample,
    pub(crate) shrinkage: Option<Shrinkage>,
    pub(crate) confidence: String,
    pub(crate) confidence_reasons: Vec<String>,
    pub(crate) percentile: Option<Percentile>,
    pub(crate) percentile_reason: Option<String>,
    pub(crate) provenance: Provenance,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sample {
    pub(crate) bouts: i64,
    pub(crate) exposure: f64,
    pub(crate) exposure_unit: String,
    pub(crate) numerator: Option<f64>,
    pub(crate) denominator: Option<f64>,
    pub(crate) numerator_unit: Option<String>,
    pub(crate) denominator_unit: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Shrinkage {
    pub(crate) weight: f64,
    pub(crate) prior_mean: f64,
    pub(crate) prior_strength: f64,
    pub(crate) prior_population: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Percentile {
    pub(crate) value: f64,
    pub(crate) pool: String,
    pub(crate) pool_size: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Provenance {
    pub(crate) excluded: Option<Vec<Excluded>>,
    pub(crate) bout_ids: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Excluded {
    pub(crate) bout_id: String,
    pub(crate) reason: String,
}

/// A fighter of several whose DNA was asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct DnaOfOne {
    pub(crate) id: String,
    pub(crate) dna: Option<FewMetrics>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FewMetrics {
    pub(crate) metrics: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Value {
    pub(crate) metric: String,
    pub(crate) status: String,
    pub(crate) value: Option<f64>,
    pub(crate) interval: Option<Interval>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Match {
    pub(crate) fighter: Names,
    pub(crate) weight_class: Option<String>,
    pub(crate) metric: Metric,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Series {
    pub(crate) fighter: Names,
    pub(crate) points: Vec<SeriesPoint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SeriesPoint {
    pub(crate) valid_from: String,
    pub(crate) valid_to: Option<String>,
    pub(crate) status: String,
    pub(crate) value: Option<f64>,
    pub(crate) raw_value: Option<f64>,
    pub(crate) interval: Option<Interval>,
    pub(crate) sample: Sample,
    pub(crate) confidence: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RoundProfile {
    pub(crate) fighter: Names,
    pub(crate) notes: Vec<String>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) comparable: Comparable,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Comparable {
    pub(crate) bouts: i64,
    pub(crate) rounds: Vec<Round>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Round {
    pub(crate) round: i64,
    pub(crate) bouts_reached: i64,
    pub(crate) minutes: f64,
    pub(crate) own: RoundSide,
    pub(crate) opponent: RoundSide,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RoundSide {
    pub(crate) sig_landed_per_min: Option<f64>,
    pub(crate) sig_attempted_per_min: Option<f64>,
    pub(crate) td_landed_per_15: Option<f64>,
    pub(crate) knockdowns_per_15: Option<f64>,
    pub(crate) sig_accuracy: Option<f64>,
    pub(crate) control_share: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FinishProfile {
    pub(crate) notes: Vec<String>,
    pub(crate) wins: Endings,
    pub(crate) losses: Endings,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Endings {
    pub(crate) bouts: i64,
    pub(crate) by_method_and_round: Vec<MethodRound>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MethodRound {
    pub(crate) method: String,
    pub(crate) round: i64,
    pub(crate) bouts: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Splits {
    pub(crate) notes: Vec<String>,
    pub(crate) splits: Vec<Split>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Split {
    pub(crate) dimension: String,
    pub(crate) key: String,
    pub(crate) bouts: i64,
    pub(crate) metrics: Vec<SplitMetric>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SplitMetric {
    pub(crate) metric: String,
    pub(crate) status: String,
    pub(crate) reason: Option<String>,
    pub(crate) value: Option<f64>,
    pub(crate) interval: Option<Interval>,
    pub(crate) overall: SplitOverall,
    pub(crate) delta: Option<SplitDelta>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SplitOverall {
    pub(crate) value: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SplitDelta {
    pub(crate) value: f64,
    pub(crate) distinguishable: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Matchup {
    pub(crate) a: Side,
    pub(crate) b: Side,
    pub(crate) as_of: String,
    pub(crate) notes: Vec<String>,
    pub(crate) physical: BTreeMap<String, Physical>,
    pub(crate) metrics: Vec<MatchupMetric>,
    pub(crate) pairings: Vec<Pairing>,
    pub(crate) insights: Vec<Insight>,
    pub(crate) withheld: Vec<Withheld>,
    pub(crate) common_opponents: Vec<CommonOpponent>,
    pub(crate) previous_meetings: Vec<Meeting>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Side {
    pub(crate) fighter: Names,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Physical {
    pub(crate) a: Option<serde_json::Value>,
    pub(crate) b: Option<serde_json::Value>,
    pub(crate) difference: Option<serde_json::Value>,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MatchupMetric {
    pub(crate) metric: String,
    pub(crate) family: String,
    pub(crate) a: MatchupValue,
    pub(crate) b: MatchupValue,
    pub(crate) z: Option<f64>,
    pub(crate) edge: String,
    pub(crate) edge_reason: Option<String>,
    pub(crate) gate: Option<MatchupGate>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MatchupValue {
    pub(crate) status: String,
    pub(crate) value: Option<f64>,
    pub(crate) confidence: String,
    pub(crate) bouts: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MatchupGate {
    pub(crate) min_z: f64,
    pub(crate) hold_share: f64,
    pub(crate) n: i64,
    pub(crate) first_year: i64,
    pub(crate) last_year: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Pairing {
    pub(crate) offence_of: String,
    pub(crate) offence_metric: String,
    pub(crate) defence_metric: String,
    pub(crate) offence: Option<f64>,
    pub(crate) defence: Option<f64>,
    pub(crate) class_mean: Option<f64>,
    pub(crate) expected: Option<f64>,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Insight {
    pub(crate) metric: String,
    pub(crate) text: String,
    pub(crate) z: Option<f64>,
    pub(crate) gate: MatchupGate,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Withheld {
    pub(crate) metric: String,
    pub(crate) failed: String,
    pub(crate) z: Option<f64>,
    pub(crate) confidence_a: String,
    pub(crate) confidence_b: String,
    pub(crate) validity_class: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CommonOpponent {
    pub(crate) opponent: Names,
    pub(crate) a: Vec<CommonBout>,
    pub(crate) b: Vec<CommonBout>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CommonBout {
    pub(crate) date: String,
    pub(crate) method: Option<String>,
    pub(crate) outcome: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Meeting {
    pub(crate) bout_id: String,
    pub(crate) date: String,
    pub(crate) event_name: String,
    pub(crate) outcome_a: Option<String>,
    pub(crate) method: Option<String>,
    pub(crate) round: Option<i64>,
    pub(crate) time: Option<String>,
}
