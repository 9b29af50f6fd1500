//! The SQL of the oracle, filled in from the metric definitions.

use fdna_schemas::{Metric, MetricDefinitions, MinUnit, Term, ValidityClass};

/// What the source counts, as columns of `round_stats`.
const COUNTS: [&str; 21] = [
    "knockdowns",
    "sig_landed",
    "sig_attempted",
    "total_landed",
    "total_attempted",
    "td_landed",
    "td_attempted",
    "sub_attempts",
    "reversals",
    "head_landed",
    "head_attempted",
    "body_landed",
    "body_attempted",
    "leg_landed",
    "leg_attempted",
    "distance_landed",
    "distance_attempted",
    "clinch_landed",
    "clinch_attempted",
    "ground_landed",
    "ground_attempted",
];

/// Tables of what every eligible bout says of each side, and the versions that follow from it.
pub(crate) fn sides() -> String {
    let each = |of: fn(&str) -> String| COUNTS.map(of).join(", ");
    let sums = each(|count| format!("sum({count}) AS {count}"));
    let own = each(|count| format!("own.{count} AS {count}, other.{count} AS o_{count}"));
    include_str!("sides.sql").replace("{sums}", &sums).replace("{own}", &own)
}

const WHOLE: [&str; 4] = ["bouts", "rounds", "numerator", "denominator"];
const TEXT: [&str; 2] = ["status", "confidence"];
const REAL: [&str; 6] = ["exposure", "value", "raw_value", "weight", "prior_mean", "prior_strength"];

fn compared() -> impl Iterator<Item = &'static str> {
    WHOLE.into_iter().chain(TEXT).chain(REAL)
}

/// Columns of `dna_versions` that are compared.
pub(crate) fn published_columns(metrics: &[&Metric]) -> String {
    let of = |m: &&Metric| {
        compared().map(|s| MetricDefinitions::version_column(&m.name, s)).collect::<Vec<_>>().join(", ")
    };
    metrics.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// Rows in which `published` and the definition differ, with both.
pub(crate) fn comparison(metric: &Metric) -> String {
    let name = |suffix: &str| format!("p.{}", MetricDefinitions::version_column(&metric.name, suffix));
    let differ = |suffix: &str| {
        let (ours, theirs) = (format!("e.{suffix}"), name(suffix));
        if REAL.contains(&suffix) {
            // Of what cancels to almost nothing, a billionth of nothing is no measure.
            let close = format!("1e-9 * greatest(abs({ours}), abs({theirs})) + 1e-13");
            format!("(({ours} IS NULL) <> ({theirs} IS NULL) OR abs({ours} - {theirs}) > {close})")
        } else {
            format!("{ours} IS DISTINCT FROM {theirs}")
        }
    };
    let differs: Vec<String> = compared().map(differ).collect();
    let both: Vec<String> =
        compared().map(|s| format!("e.{s} AS {s}, {} AS published_{s}", name(s))).collect();
    format!(
        "SELECT fighter_id, version, {} FROM ({}) e LEFT JOIN published p USING (fighter_id, version) WHERE {}",
        both.join(", "),
        expected(metric),
        differs.join(" OR ")
    )
}

fn expected(metric: &Metric) -> String {
    let exposure = match metric.min.unit {
        MinUnit::Min => "o.denominator / 60.0",
        MinUnit::Count | MinUnit::Takedowns => "o.denominator",
        MinUnit::Bouts | MinUnit::Wins | MinUnit::Losses | MinUnit::Decisions => "o.bouts_with_denominator",
    };
    let cap = match metric.validity_class {
        Some(ValidityClass::C) | None => 2,
        Some(ValidityClass::D) => 1,
        Some(ValidityClass::A | ValidityClass::B) => 3,
    };
    let fill = [
        ("numerator", terms(&metric.numerator)),
        ("denominator", terms(&metric.denominator)),
        ("numerator_per", format!("{:e}", metric.numerator_per)),
        ("denominator_per", format!("{:e}", metric.denominator_per)),
        ("prior_bouts", format!("{:e}", metric.prior_observations.unwrap())),
        ("min", metric.min.value.to_string()),
        ("exposure", exposure.to_owned()),
        ("class_cap", cap.to_string()),
    ];
    let sql = include_str!("metric.sql").to_owned();
    fill.into_iter().fold(sql, |sql, (name, value)| sql.replace(&format!("{{{name}}}"), &value))
}

fn terms(terms: &[Term]) -> String {
    let signed = |t: &Term| format!("{} {}", if t.sign < 0 { "-" } else { "+" }, t.column);
    terms.iter().map(signed).collect::<Vec<_>>().join(" ")
}
