//! `fightdna catalog validity`: what every metric of DNA in the published snapshot is worth, as it was measured out of time
//! when the snapshot was made, and which constants its file would take now. It proposes; nothing is overwritten.

use std::fmt::Write as _;

use fdna_lake::Lake;
use fdna_run::current_snapshot::require_current;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use fdna_schemas::{TableReader, Tables};
use serde_json::{Value, json};

use crate::output::CommandReport;

/// End of the names of tables of metrics.
const METRICS: &str = "_dna_metrics";

/// From this relative difference on a fitted variance is proposed: it has four digits in the files.
const VARIANCE_DIFFERS: f64 = 1e-3;

/// A metric in a pool.
struct MeasuredMetric<'t> {
    pool: &'t str,
    metric: &'t str,
    class: &'t str,
    measured_class: Option<&'t str>,
    variance: Option<f64>,
    fitted_variance: Option<f64>,
    r2: Option<f64>,
    r2_raw: Option<f64>,
    reliability: Option<f64>,
    coverage: Option<f64>,
    games: i32,
}

/// All metrics of a sport, or of all sports; with `fit` it ends with the proposals, as the files have their constants.
///
/// # Errors
/// Nothing is published, or no DNA of that sport; or the lake cannot be read.
pub(super) fn report_validity(lake: &Lake, sport: Option<&str>, fit: bool) -> anyhow::Result<CommandReport> {
    let unavailable = |why: String| error_with_code(ExitCode::Unavailable, format!("catalog: {why}"));
    let manifest = require_current(lake, Product::Catalog)?;
    let is_asked = |name: &str| {
        let of_sport =
            sport.is_none_or(|sport| name.strip_prefix(sport).is_some_and(|rest| rest.starts_with('_')));
        of_sport && name.ends_with(METRICS) && Tables::get().table(name).is_ok()
    };
    let names = manifest.tables.iter().map(|table| table.name.as_str()).filter(|name| is_asked(name));
    let (mut text, mut objects) = (String::new(), Vec::new());
    for name in names {
        let rows = lake.read_snapshot_table(&manifest, name)?;
        let metrics = read_metrics(&TableReader::new(name, &rows))?;
        let dna = name.strip_suffix("_metrics").unwrap_or(name);
        write!(text, "{}", describe_metrics(dna, &metrics))?;
        if fit {
            write!(text, "{}", describe_proposals(&metrics))?;
        }
        objects.extend(metrics.iter().map(|metric| metric.to_json(dna)));
    }
    if objects.is_empty() {
        let of_sport = sport.map_or_else(String::new, |sport| format!(" of {sport}"));
        return Err(unavailable(format!("no DNA{of_sport} in the snapshot {}", manifest.id)));
    }
    Ok(CommandReport::done(text, &json!({"metrics": objects})))
}

fn read_metrics<'t>(table: &TableReader<'t>) -> anyhow::Result<Vec<MeasuredMetric<'t>>> {
    let texts = |name| table.texts(name);
    let (pools, metrics, classes) = (texts("pool")?, texts("metric")?, texts("class")?);
    let (measured, games) = (table.strings("measured_class")?, table.counts("test_games")?);
    let floats = ["variance", "fitted_variance", "r2", "r2_raw", "reliability", "interval_coverage"];
    let [variance, fitted, r2, r2_raw, reliability, coverage] = floats.map(|name| table.floats(name));
    let (variance, fitted, r2, r2_raw) = (variance?, fitted?, r2?, r2_raw?);
    let (reliability, coverage) = (reliability?, coverage?);
    let metric = |row: usize| MeasuredMetric {
        pool: pools[row],
        metric: metrics[row],
        class: classes[row],
        measured_class: measured[row],
        variance: variance[row],
        fitted_variance: fitted[row],
        r2: r2[row],
        r2_raw: r2_raw[row],
        reliability: reliability[row],
        coverage: coverage[row],
        games: games[row],
    };
    Ok((0..table.rows()).map(metric).collect())
}

fn describe_metrics(dna: &str, metrics: &[MeasuredMetric<'_>]) -> String {
    let mut text = format!(
        "{dna}\n{:<20} {:<28} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n",
        "pool", "metric", "class", "measured", "r2", "r2 raw", "reliable", "coverage", "games"
    );
    for metric in metrics {
        let [r2, raw, reliability, coverage] =
            [metric.r2, metric.r2_raw, metric.reliability, metric.coverage].map(format_number);
        let measured = metric.measured_class.unwrap_or("-");
        let _ = writeln!(
            text,
            "{:<20} {:<28} {:>5} {measured:>8} {r2:>8} {raw:>8} {reliability:>8} {coverage:>8} {:>7}",
            metric.pool, metric.metric, metric.class, metric.games
        );
    }
    let both: Vec<(f64, f64)> = metrics.iter().filter_map(|metric| metric.r2.zip(metric.r2_raw)).collect();
    let better = both.iter().filter(|(shrunk, raw)| shrunk > raw).count();
    let _ =
        writeln!(text, "the shrunk value predicts better than the raw one in {better} of {}\n", both.len());
    text
}

fn format_number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

/// Constants that the file of this DNA would have otherwise.
fn describe_proposals(metrics: &[MeasuredMetric<'_>]) -> String {
    let mut text = String::new();
    for metric in metrics {
        let is_other =
            |fitted: &f64| metric.variance.is_none_or(|is| (fitted / is - 1.0).abs() > VARIANCE_DIFFERS);
        let variance = metric.fitted_variance.filter(is_other);
        let class = metric.measured_class.filter(|class| *class != metric.class);
        let parts = [
            variance.map(|variance| format!("variance = {variance:.4e}")),
            class.map(|class| format!("class = \"{class}\"")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            let _ = writeln!(
                text,
                "propose [pools.{}.metrics] {} = {{ {} }}",
                metric.pool,
                metric.metric,
                parts.join(", ")
            );
        }
    }
    text + if metrics.is_empty() { "" } else { "\n" }
}

impl MeasuredMetric<'_> {
    fn to_json(&self, dna: &str) -> Value {
        json!({
            "dna": dna, "pool": self.pool, "metric": self.metric, "class": self.class, "measured_class": self.measured_class,
            "variance": self.variance, "fitted_variance": self.fitted_variance, "out_of_time_r2": self.r2,
            "out_of_time_r2_raw": self.r2_raw, "reliability": self.reliability, "interval_coverage": self.coverage,
            "test_games": self.games,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_otherwise_than_the_file_says_is_proposed() {
        let metric = |class, measured_class, variance, fitted_variance| MeasuredMetric {
            pool: "all",
            metric: "m",
            class,
            measured_class,
            variance,
            fitted_variance,
            r2: Some(0.2),
            r2_raw: Some(0.1),
            reliability: None,
            coverage: None,
            games: 300,
        };
        let same = metric("A", Some("A"), Some(0.5), Some(0.500_01));
        assert_eq!(describe_proposals(&[same]), "\n");
        let other = metric("A", Some("B"), Some(0.5), Some(0.25));
        assert_eq!(
            describe_proposals(&[other]),
            "propose [pools.all.metrics] m = { variance = 2.5000e-1, class = \"B\" }\n\n"
        );
        let unmeasured = metric("C", None, None, Some(1.0));
        assert_eq!(
            describe_proposals(&[unmeasured]),
            "propose [pools.all.metrics] m = { variance = 1.0000e0 }\n\n"
        );
    }
}
