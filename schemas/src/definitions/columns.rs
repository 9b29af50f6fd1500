//! Columns that tables have per metric, made from the metric definitions.

use super::{Metric, MetricDefinitions};
use crate::table::{Column, ColumnType};

/// Suffix, type, meaning, what a null says; a unit where the column is in the metric's.
struct PerMetric {
    suffix: &'static str,
    kind: ColumnType,
    in_unit: bool,
    meaning: &'static str,
    null: Option<&'static str>,
}

const fn per_metric_column(suffix: &'static str, kind: ColumnType, meaning: &'static str) -> PerMetric {
    PerMetric { suffix, kind, in_unit: false, meaning, null: None }
}

impl PerMetric {
    const fn with_null(self, null: &'static str) -> Self {
        Self { null: Some(null), ..self }
    }

    const fn in_unit(self) -> Self {
        Self { in_unit: true, ..self }
    }

    fn column_of(&self, metric: &Metric) -> Column {
        Column {
            name: MetricDefinitions::version_column(&metric.name, self.suffix),
            kind: self.kind,
            unit: self.in_unit.then(|| metric.unit.name().to_owned()),
            meaning: format!("{}: {}", metric.name, self.meaning),
            null_means: self.null.map(str::to_owned),
            null_is_value: false,
            is_bookkeeping: false,
        }
    }
}

use ColumnType::{Float64, Int32, Int64, String};

const NO_PRIOR: &str = "no prior, or not shrunk";
const NO_SUMS: &str = "no ratio";

/// Columns of `dna_versions` per metric.
const VERSION: &[PerMetric] = &[
    per_metric_column("status", String, "ok, insufficient_sample, not_recorded or not_applicable"),
    per_metric_column("value", Float64, "shrunk value, or the fact itself")
        .with_null("status is not ok")
        .in_unit(),
    per_metric_column("raw_value", Float64, "plain ratio").with_null("denominator is 0").in_unit(),
    per_metric_column("interval_low", Float64, "5 % quantile of the posterior")
        .with_null("status is not ok, or not shrunk")
        .in_unit(),
    per_metric_column("interval_high", Float64, "95 % quantile of the posterior")
        .with_null("status is not ok, or not shrunk")
        .in_unit(),
    per_metric_column("numerator", Int64, "sum of the numerator's columns, in their own unit")
        .with_null(NO_SUMS),
    per_metric_column("denominator", Int64, "sum of the denominator's columns, in their own unit")
        .with_null(NO_SUMS),
    per_metric_column("exposure", Float64, "sample in the unit of the metric's minimum"),
    per_metric_column(
        "bouts",
        Int32,
        "bouts that it rests on: eligible ones that carry the columns; for ratings all rated ones",
    ),
    per_metric_column("rounds", Int32, "rounds of those bouts"),
    per_metric_column("weight", Float64, "weight of the fighter's own sums in the value").with_null(NO_PRIOR),
    per_metric_column("prior_mean", Float64, "mean towards which the value is shrunk")
        .with_null(NO_PRIOR)
        .in_unit(),
    per_metric_column("prior_strength", Float64, "strength of the prior, in units of the denominator")
        .with_null(NO_PRIOR),
    per_metric_column("confidence", String, "high, medium, low or insufficient"),
    per_metric_column("reasons", String, "rules that set the confidence, joined by spaces"),
    per_metric_column("percentile", Float64, "place among the active fighters of the class, 100 best")
        .with_null("status is not ok, no class, or fewer than 30 fighters to compare with"),
    per_metric_column("pool_size", Int32, "fighters compared with").with_null("no percentile"),
];

/// Columns of `baselines` per shrunk metric.
const BASELINE: &[PerMetric] = &[
    per_metric_column("mean", Float64, "prior mean of the class").with_null("no prior").in_unit(),
    per_metric_column("strength", Float64, "prior strength, in units of the denominator")
        .with_null("no prior"),
    per_metric_column("fighter_bouts", Int32, "fighter-bouts of the class in the window"),
];

/// Columns of `splits` per metric that splits show.
const SPLIT: &[PerMetric] = &[
    per_metric_column("numerator", Int64, "sum of the numerator's columns, in their own unit"),
    per_metric_column("denominator", Int64, "sum of the denominator's columns, in their own unit"),
    per_metric_column("bouts", Int32, "bouts that carry the columns"),
];

/// Columns of `panel_ratios` per ratio of whole sums.
const RATIO: &[PerMetric] = &[
    per_metric_column("numerator", Int64, "sum of the numerator's columns, in their own unit"),
    per_metric_column("denominator", Int64, "sum of the denominator's columns, in their own unit"),
    per_metric_column("bouts", Int32, "eligible bouts that carry the columns"),
    per_metric_column("raw_value", Float64, "plain ratio").with_null("denominator is 0").in_unit(),
];

/// Columns of `panel_wide` and `panel_vintage_wide` per metric: these of a version, and [`SHRUNK_VALUE`].
const PANEL: [&str; 4] = ["value", "raw_value", "weight", "confidence"];
const SHRUNK_VALUE: PerMetric = per_metric_column(
    "shrunk_value",
    Float64,
    "value drawn towards the prior, also where the sample is too small to state it as `value`; of a metric that is \
     not shrunk, the fact itself",
)
.with_null("no prior yet, or a fact that is not known")
.in_unit();

impl MetricDefinitions {
    /// Column of a table for a metric: `<metric>__<suffix>`.
    #[must_use]
    pub fn version_column(metric: &str, suffix: &str) -> std::string::String {
        format!("{metric}__{suffix}")
    }

    /// The columns that the table of this name has beside those of its contract file.
    pub(crate) fn columns_of(&self, table: &str) -> Vec<Column> {
        let all = |columns: &[PerMetric], keep: fn(&Metric) -> bool| {
            let metrics = self.metrics.iter().filter(|m| keep(m));
            metrics.flat_map(|m| columns.iter().map(|c| c.column_of(m)).collect::<Vec<_>>()).collect()
        };
        match table {
            "dna_versions" => self.metrics.iter().flat_map(version_columns).collect(),
            "baselines" => all(BASELINE, Metric::is_shrunk),
            "splits" => all(SPLIT, |m| m.split),
            "panel_ratios" => all(RATIO, Metric::has_whole_sums),
            "panel_wide" | "panel_vintage_wide" => {
                let stored = VERSION.iter().filter(|c| PANEL.contains(&c.suffix));
                let panel = stored.chain([&SHRUNK_VALUE]);
                self.metrics.iter().flat_map(|m| panel.clone().map(|c| c.column_of(m))).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn version_columns(metric: &Metric) -> Vec<Column> {
    let typed = |c: &PerMetric| {
        let mut column = c.column_of(metric);
        // Weighted sums are no whole numbers.
        if column.kind == Int64 && !metric.has_whole_sums() {
            column.kind = Float64;
        }
        column
    };
    VERSION.iter().map(typed).collect()
}
