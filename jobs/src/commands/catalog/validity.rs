//! `fightdna catalog validity`: what every metric of DNA in the published snapshot is worth, as it was measured out of time
//! when the snapshot was made, and which constants its file would take now. It proposes; nothing is overwritten.

use std::collections::BTreeMap;
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
/// The same of K, of which values far apart predict alike.
const K_DIFFERS: f64 = 0.3;

/// What a 90 % band may hold of what it is measured against.
const HELD: std::ops::RangeInclusive<f64> = 0.87..=0.93;

/// Columns with numbers that are read.
const FLOATS: [&str; 16] = [
    "prior_games",
    "variance",
    "fitted_variance",
    "season_drift",
    "fitted_season_drift",
    "r2",
    "r2_raw",
    "reliability",
    "interval_coverage",
    "season_coverage",
    "season_coverage_without_drift",
    "stabilises_at",
    "stabilises_low",
    "stabilises_high",
    "stabilises_at_games",
    "published_sample",
];

/// A metric in a pool, by the columns of its table.
#[derive(Default)]
struct MeasuredMetric<'t> {
    pool: &'t str,
    metric: &'t str,
    class: &'t str,
    measured_class: Option<&'t str>,
    caveats: Option<&'t str>,
    prior_games: Option<f64>,
    fitted_prior_games: Option<f64>,
    variance: Option<f64>,
    fitted_variance: Option<f64>,
    season_drift: Option<f64>,
    fitted_season_drift: Option<f64>,
    r2: Option<f64>,
    r2_raw: Option<f64>,
    reliability: Option<f64>,
    coverage: Option<f64>,
    season_coverage: Option<f64>,
    season_coverage_without_drift: Option<f64>,
    stabilisation: StabilisationCell<'t>,
    games: i32,
    seasons: i32,
}

/// The sample at which half of what is seen is the subject's own, beside what others found.
#[derive(Clone, Copy, Default)]
struct StabilisationCell<'t> {
    at: Option<f64>,
    denominator: &'t str,
    low: Option<f64>,
    high: Option<f64>,
    published: Option<f64>,
    unit: Option<&'t str>,
    source: Option<&'t str>,
    note: Option<&'t str>,
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
    let [pools, metrics, classes, denominators] =
        ["pool", "metric", "class", "denominator"].map(|name| table.texts(name));
    let (pools, metrics, classes, denominators) = (pools?, metrics?, classes?, denominators?);
    let [measured, caveats, unit, source, note] =
        ["measured_class", "caveats", "published_unit", "published_source", "published_note"]
            .map(|name| table.strings(name));
    let (measured, caveats, unit, source, note) = (measured?, caveats?, unit?, source?, note?);
    let (games, seasons) = (table.counts("test_games")?, table.counts("test_seasons")?);
    let mut floats = BTreeMap::new();
    for name in FLOATS {
        floats.insert(name, table.floats(name)?);
    }
    let metric = |row: usize| {
        let float = |name: &str| floats[name][row];
        MeasuredMetric {
            pool: pools[row],
            metric: metrics[row],
            class: classes[row],
            measured_class: measured[row],
            caveats: caveats[row],
            prior_games: float("prior_games"),
            fitted_prior_games: float("stabilises_at_games"),
            variance: float("variance"),
            fitted_variance: float("fitted_variance"),
            season_drift: float("season_drift"),
            fitted_season_drift: float("fitted_season_drift"),
            r2: float("r2"),
            r2_raw: float("r2_raw"),
            reliability: float("reliability"),
            coverage: float("interval_coverage"),
            season_coverage: float("season_coverage"),
            season_coverage_without_drift: float("season_coverage_without_drift"),
            stabilisation: StabilisationCell {
                at: float("stabilises_at"),
                denominator: denominators[row],
                low: float("stabilises_low"),
                high: float("stabilises_high"),
                published: float("published_sample"),
                unit: unit[row],
                source: source[row],
                note: note[row],
            },
            games: games[row],
            seasons: seasons[row],
        }
    };
    Ok((0..table.rows()).map(metric).collect())
}

fn describe_metrics(dna: &str, metrics: &[MeasuredMetric<'_>]) -> String {
    let mut text = format!(
        "{dna}\n{:<16} {:<24} class measured {:>7} {:>7} {:>7} {:>8} {:>6} {:>7} {:>8} {:>6} {:>7}  {}\n",
        "pool",
        "metric",
        "K",
        "r2",
        "r2 raw",
        "reliable",
        "game",
        "season",
        "no drift",
        "games",
        "seasons",
        "stabilises at (90 %); published"
    );
    for metric in metrics {
        let [k, r2, raw, reliable, game, season, no_drift] = [
            metric.prior_games,
            metric.r2,
            metric.r2_raw,
            metric.reliability,
            metric.coverage,
            metric.season_coverage,
            metric.season_coverage_without_drift,
        ]
        .map(format_number);
        let measured = metric.measured_class.unwrap_or("-");
        let _ = writeln!(
            text,
            "{:<16} {:<24} {:>5} {measured:>8} {k:>7} {r2:>7} {raw:>7} {reliable:>8} {game:>6} {season:>7} {no_drift:>8} \
             {:>6} {:>7}  {}",
            metric.pool, metric.metric, metric.class, metric.games, metric.seasons, metric.stabilisation
        );
    }
    text + &describe_promises(metrics) + "\n"
}

/// Which metrics keep what a shrunk value and a 90 % band promise, and by name those that do not, with the reason.
fn describe_promises(metrics: &[MeasuredMetric<'_>]) -> String {
    let mut text = String::new();
    let better: Vec<_> =
        metrics.iter().filter_map(|metric| Some((metric, metric.r2? > metric.r2_raw?))).collect();
    let worse: Vec<String> =
        better.iter().filter(|(_, is)| !is).map(|(metric, _)| metric.qualified_name()).collect();
    let _ = write!(text, "the shrunk value predicts the next game better than the raw one: ");
    let _ = write!(text, "{} of {}", better.len() - worse.len(), better.len());
    let _ = writeln!(
        text,
        "{}",
        if worse.is_empty() { String::new() } else { format!("; not {}", worse.join(", ")) }
    );
    let games = metrics.iter().filter_map(|metric| Some((metric, metric.coverage?, metric.games)));
    text += &describe_coverage("next games", games);
    let seasons = metrics.iter().filter_map(|metric| Some((metric, metric.season_coverage?, metric.seasons)));
    text + &describe_coverage("next seasons, with the drift between seasons", seasons)
}

/// A line for all bands, and one for each reason for which a band holds more or less.
fn describe_coverage<'m, 't: 'm>(
    of: &str,
    measured: impl Iterator<Item = (&'m MeasuredMetric<'t>, f64, i32)>,
) -> String {
    let measured: Vec<_> = measured.collect();
    let mut odd: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (metric, share, tests) in measured.iter().filter(|(_, share, _)| !HELD.contains(share)) {
        odd.entry(coverage_reason(metric, *share, *tests))
            .or_default()
            .push(format!("{} {share:.3}", metric.qualified_name()));
    }
    if measured.is_empty() {
        return String::new();
    }
    let n_odd = odd.values().map(Vec::len).sum::<usize>();
    let mut text =
        format!("the 90 % band holds 87 to 93 % of {of}: {} of {}\n", measured.len() - n_odd, measured.len());
    for (reason, names) in odd {
        let _ = writeln!(text, "  {reason}: {}", names.join(", "));
    }
    text
}

/// Why a band holds another share than 90 %: chance, as far as two standard errors go, before anything else.
fn coverage_reason(metric: &MeasuredMetric<'_>, share: f64, tests: i32) -> String {
    let error = (0.09 / f64::from(tests)).sqrt();
    match metric.caveats {
        _ if (share - 0.9).abs() <= 2.0 * error => "within what chance allows in so few".to_owned(),
        _ if share > 0.9 => {
            "wide: the band is drawn as a normal curve around few or uneven events".to_owned()
        }
        Some(caveats) => caveats.trim_end_matches('.').to_owned(),
        None => "narrow, for no reason that is known".to_owned(),
    }
}

impl std::fmt::Display for StabilisationCell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(at) = self.at else { return f.write_str("-") };
        let [low, high] = [self.low, self.high].map(|end| end.map_or_else(|| "-".to_owned(), format_count));
        write!(f, "{} {} ({low} to {high})", format_count(at), self.denominator)?;
        let Some((published, unit)) = self.published.zip(self.unit) else { return Ok(()) };
        write!(f, "; {} {unit}: {}", format_count(published), self.source.unwrap_or_default())?;
        self.note.map_or(Ok(()), |note| write!(f, ". {note}"))
    }
}

fn format_count(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

fn format_number(value: Option<f64>) -> String {
    let digits = |value: f64| if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") };
    value.map_or_else(|| "-".to_owned(), digits)
}

/// Constants that the file of this DNA would have otherwise.
fn describe_proposals(metrics: &[MeasuredMetric<'_>]) -> String {
    let mut text = String::new();
    for metric in metrics {
        // Constants have four digits in the files, and K fewer: its likelihood is flat.
        let propose = |name: &str, is: Option<f64>, fitted: Option<f64>, differs: f64| {
            let is_other = |fitted: &f64| is.is_none_or(|is| (fitted / is - 1.0).abs() > differs);
            let fitted = fitted.filter(|fitted| *fitted != 0.0 || is != Some(0.0)).filter(is_other)?;
            Some(format!("{name} = {fitted:.3e}"))
        };
        let class = metric.measured_class.filter(|class| *class != metric.class);
        let parts = [
            propose("prior_observations", metric.prior_games, metric.fitted_prior_games, K_DIFFERS),
            propose("variance", metric.variance, metric.fitted_variance, VARIANCE_DIFFERS),
            propose("season_drift", metric.season_drift, metric.fitted_season_drift, VARIANCE_DIFFERS),
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
    fn qualified_name(&self) -> String {
        format!("{}/{}", self.pool, self.metric)
    }

    fn to_json(&self, dna: &str) -> Value {
        json!({
            "dna": dna, "pool": self.pool, "metric": self.metric, "class": self.class, "measured_class": self.measured_class, "caveats": self.caveats,
            "prior_games": self.prior_games, "fitted_prior_games": self.fitted_prior_games,
            "variance": self.variance, "fitted_variance": self.fitted_variance,
            "season_drift": self.season_drift, "fitted_season_drift": self.fitted_season_drift,
            "out_of_time_r2": self.r2, "out_of_time_r2_raw": self.r2_raw, "reliability": self.reliability,
            "interval_coverage": self.coverage, "test_games": self.games,
            "season_coverage": self.season_coverage, "test_seasons": self.seasons,
            "season_coverage_without_drift": self.season_coverage_without_drift,
            "stabilises_at": self.stabilisation.at, "stabilises_low": self.stabilisation.low,
            "stabilises_high": self.stabilisation.high, "published_sample": self.stabilisation.published,
            "published_unit": self.stabilisation.unit, "published_source": self.stabilisation.source,
            "published_note": self.stabilisation.note,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric<'t>() -> MeasuredMetric<'t> {
        MeasuredMetric {
            pool: "all",
            metric: "m",
            class: "A",
            measured_class: Some("A"),
            prior_games: Some(4.0),
            variance: Some(0.5),
            ..MeasuredMetric::default()
        }
    }

    #[test]
    fn what_is_measured_otherwise_than_the_file_says_is_proposed() {
        let same =
            MeasuredMetric { fitted_variance: Some(0.500_01), fitted_prior_games: Some(5.0), ..metric() };
        assert_eq!(describe_proposals(&[same]), "\n");
        let other = MeasuredMetric {
            measured_class: Some("B"),
            fitted_variance: Some(0.25),
            fitted_prior_games: Some(8.0),
            fitted_season_drift: Some(0.0001),
            ..metric()
        };
        assert_eq!(
            describe_proposals(&[other]),
            "propose [pools.all.metrics] m = { prior_observations = 8.000e0, variance = 2.500e-1, \
             season_drift = 1.000e-4, class = \"B\" }\n\n"
        );
        let still = MeasuredMetric { season_drift: Some(0.0), fitted_season_drift: Some(0.0), ..metric() };
        assert_eq!(describe_proposals(&[still]), "\n");
    }

    #[test]
    fn a_metric_that_breaks_a_promise_is_named_with_the_reason_and_one_that_is_not_measured_is_not_counted() {
        let of = |name: &'static str, coverage: f64, games: i32| MeasuredMetric {
            metric: name,
            coverage: Some(coverage),
            games,
            ..metric()
        };
        let metrics = [
            MeasuredMetric { r2: Some(0.2), r2_raw: Some(0.1), ..of("kept", 0.9, 900) },
            MeasuredMetric { r2: Some(0.1), r2_raw: Some(0.2), ..of("few", 0.86, 100) },
            of("wide", 0.95, 900),
            of("narrow", 0.8, 900),
            MeasuredMetric { caveats: Some("Roles change."), ..of("told", 0.8, 900) },
            MeasuredMetric { season_coverage: Some(0.72), seasons: 400, ..metric() },
        ];
        let expected = "\
the shrunk value predicts the next game better than the raw one: 1 of 2; not all/few
the 90 % band holds 87 to 93 % of next games: 1 of 5
  Roles change: all/told 0.800
  narrow, for no reason that is known: all/narrow 0.800
  wide: the band is drawn as a normal curve around few or uneven events: all/wide 0.950
  within what chance allows in so few: all/few 0.860
the 90 % band holds 87 to 93 % of next seasons, with the drift between seasons: 0 of 1
  narrow, for no reason that is known: all/m 0.720
";
        assert_eq!(describe_promises(&metrics), expected);
    }

    #[test]
    fn stabilisation_is_told_beside_what_others_found() {
        let unknown = StabilisationCell::default();
        assert_eq!(unknown.to_string(), "-");
        let stabilises = StabilisationCell {
            at: Some(92.4),
            denominator: "batters_faced",
            low: Some(80.0),
            published: Some(70.0),
            unit: Some("batters faced"),
            source: Some("Carleton 2012"),
            ..unknown
        };
        assert_eq!(stabilises.to_string(), "92 batters_faced (80 to -); 70 batters faced: Carleton 2012");
    }
}
