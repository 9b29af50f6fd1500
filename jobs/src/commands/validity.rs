//! `fightdna validity`: what every metric is worth, measured on the facts of the lake, and what its
//! constants would be if they were fitted today. It proposes; nothing is overwritten.

use std::collections::BTreeMap;

use fdna_derive::{DerivedTables, MetricValidity};
use fdna_lake::Lake;
use fdna_model::FactsAsOf;
use fdna_run::stages::derivation_facts::{after_all, published_facts};
use fdna_schemas::{Gate, Metric, MetricDefinitions, ValidityClass, ValiditySettings};
use serde_json::{Value, json};

use crate::output::CommandReport;

/// One metric and what was measured of it.
type MeasuredMetrics<'a> = (&'a Metric, &'a MetricValidity);

fn validity_settings() -> &'static ValiditySettings {
    &MetricDefinitions::get().settings.validity
}

/// Measures all metrics on the facts of the current snapshot; with `fit`, ends with the proposals.
///
/// # Errors
/// The lake has no current snapshot, or cannot be read.
pub(crate) fn report_validity(lake: &Lake, fit: bool) -> anyhow::Result<CommandReport> {
    let (_, facts) = published_facts(lake)?;
    let derived =
        fdna_derive::derive_tables(FactsAsOf::cut_at(&facts, after_all(&facts)), MetricDefinitions::get())?;
    let measured = measured_metrics(&derived);
    let mut lines = vec![format!(
        "constants fitted to {}, tested on the bouts after it; gates measured to {}",
        validity_settings().fitted_to,
        validity_settings().measured_to
    )];
    lines.push(format!(
        "{:<34} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7}",
        "metric", "catalogue", "measured", "r2", "r2 raw", "reliable", "coverage", "bouts"
    ));
    lines.extend(measured.iter().map(metric_line));
    lines.extend(summary_lines(&measured));
    let proposals: Vec<String> =
        if fit { measured.iter().flat_map(proposed_constants).collect() } else { Vec::new() };
    lines.extend(proposals.iter().cloned());
    let json = json!({
        "constants_fitted_to": validity_settings().fitted_to.to_string(),
        "gates_measured_to": validity_settings().measured_to.to_string(),
        "metrics": measured.iter().map(metric_object).collect::<Vec<_>>(),
        "proposals": fit.then_some(proposals),
    });
    Ok(CommandReport::done(lines.join("\n") + "\n", &json))
}

fn measured_metrics(derived: &DerivedTables) -> Vec<MeasuredMetrics<'_>> {
    let metrics = MetricDefinitions::get().metrics.iter().zip(&derived.metrics);
    metrics.filter_map(|(metric, derivation)| Some((metric, derivation.validity.as_ref()?))).collect()
}

fn format_number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.4}"))
}

fn metric_line((metric, v): &MeasuredMetrics<'_>) -> String {
    format!(
        "{:<34} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7}",
        metric.name,
        metric.validity_class.map_or("-", |class| class.name()),
        v.validity_class(validity_settings()).map_or("-", |class| class.name()),
        format_number(v.r2),
        format_number(v.r2_raw),
        format_number(v.reliability),
        format_number(v.coverage),
        v.test_observations,
    )
}

fn summary_lines(measured: &[MeasuredMetrics<'_>]) -> Vec<String> {
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, v) in measured {
        *classes
            .entry(v.validity_class(validity_settings()).map_or("not measured", |class| class.name()))
            .or_default() += 1;
    }
    let classes: Vec<String> = classes.iter().map(|(class, n)| format!("{class} {n}")).collect();
    let both: Vec<(f64, f64)> = measured.iter().filter_map(|(_, v)| v.r2.zip(v.r2_raw)).collect();
    let better = both.iter().filter(|(shrunk, raw)| shrunk > raw).count();
    let worse_than_mean = both.iter().filter(|(_, raw)| *raw < 0.0).count();
    let mut coverage: Vec<f64> = measured.iter().filter_map(|(_, v)| v.coverage).collect();
    coverage.sort_by(f64::total_cmp);
    let median = coverage.get(coverage.len() / 2).copied();
    let ends = format!(
        "{} to {}",
        format_number(coverage.first().copied()),
        format_number(coverage.last().copied())
    );
    vec![
        format!("measured classes: {}", classes.join(", ")),
        format!("the shrunk value predicts better than the raw one in {better} of {} metrics", both.len()),
        format!("the raw value predicts worse than the class mean in {worse_than_mean} of {}", both.len()),
        format!("next bouts within the 90 % band: median {}, {ends}", format_number(median)),
    ]
}

/// Proposed constants for the metric definitions, as TOML.
fn proposed_constants((metric, v): &MeasuredMetrics<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(variance) =
        v.variance.filter(|a| metric.variance.is_none_or(|is| (a / is - 1.0).abs() > 1e-3))
    {
        lines.push(format!("variance = {variance:.6}"));
    }
    if let Some(class) =
        v.validity_class(validity_settings()).filter(|class| metric.validity_class != Some(*class))
    {
        lines.push(format!("validity_class = \"{}\"", class.name()));
    }
    // Below these classes no difference is stated, however clear.
    let stated = v.validity_class(validity_settings()).is_some_and(|class| class <= ValidityClass::B);
    let new = |gate: &Gate| stated && !metric.gate.is_some_and(|is| is_same(gate, &is));
    if let Some(gate) = v.gate.lowest_gate(&validity_settings().gate).filter(new) {
        lines.push(format!(
            "gate = {{ min_z = {:.1}, hold_share = {:.4}, bouts = {}, first_year = {}, last_year = {} }}",
            gate.min_z, gate.hold_share, gate.contests, gate.first_year, gate.last_year
        ));
    }
    if !lines.is_empty() {
        lines.insert(0, format!("\npropose for {}", metric.name));
    }
    lines
}

fn is_same(a: &Gate, b: &Gate) -> bool {
    (a.min_z - b.min_z).abs() < 1e-9 && a.contests == b.contests && (a.hold_share - b.hold_share).abs() < 1e-3
}

fn metric_object((metric, v): &MeasuredMetrics<'_>) -> Value {
    let gate = v.gate.lowest_gate(&validity_settings().gate).map(|g| {
        json!({ "min_z": g.min_z, "hold_share": g.hold_share, "bouts": g.contests,
                "first_year": g.first_year, "last_year": g.last_year })
    });
    let bins = v.gate.bins.iter();
    let bins: Vec<Value> =
        bins.map(|bin| json!({ "from_z": bin.from, "bouts": bin.contests, "held": bin.held })).collect();
    json!({
        "metric": metric.name,
        "catalogue_class": metric.validity_class.map(|class| class.name()),
        "measured_class": v.validity_class(validity_settings()).map(|class| class.name()),
        "out_of_time_r2": v.r2,
        "out_of_time_r2_raw": v.r2_raw,
        "reliability": v.reliability,
        "interval_coverage": v.coverage,
        "test_bouts": v.test_observations,
        "test_years": v.test_years,
        "catalogue_variance": metric.variance,
        "fitted_variance": v.variance,
        "gate": gate,
        "gate_bins": bins,
    })
}
