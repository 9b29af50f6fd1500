//! Numbers and words as pages show them; a picture and the table beside it use the same.

use fdna_api::{ColumnSum, Interval, LedgerChange, MetricDefinition, MetricObject, Sample};
use fdna_picture::{Dumbbell, Tick, ValueMark, ticks};
use serde_json::Value;

use crate::page::Cell;

/// A number with the metric's scale and decimals.
pub(crate) fn format_number(of: &MetricDefinition<'_>, value: f64) -> String {
    let text = format!("{:.*}", usize::from(of.decimals), value * of.display_scale);
    // -0.00 is nothing but a rounding.
    let is_zero = text.starts_with('-') && text.chars().all(|letter| matches!(letter, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// The same with its unit in short.
pub(crate) fn quantity(of: &MetricDefinition<'_>, value: f64) -> String {
    format!("{}{}", format_number(of, value), unit(of))
}

fn unit(of: &MetricDefinition<'_>) -> &'static str {
    match of.unit {
        "per_min" => "/min",
        "per_15_min" => "/15 min",
        "share" => " %",
        "per_bout" => "/bout",
        "per_100" => "/100",
        "min" => " min",
        "days" => " d",
        _ => "",
    }
}

/// A cell of a number that may be null.
pub(crate) fn metric_cell(of: &MetricDefinition<'_>, value: Option<f64>, why: &str) -> Cell {
    match value {
        Some(value) => Cell::number(value, format_number(of, value)),
        None => Cell::missing(why),
    }
}

/// `weight_below_0.30` as `weight below 0.30`.
pub(crate) fn words(code: &str) -> String {
    code.replace('_', " ")
}

/// `pace_cardio` as `Pace and cardio`: some families are of two things.
pub(crate) fn family_name(code: &str) -> String {
    capital(&match code {
        "power_durability" | "pace_cardio" | "decisions_judging" | "experience_activity" => {
            code.replace('_', " and ")
        }
        _ => words(code),
    })
}

/// `LIGHT_HEAVYWEIGHT` as `Light heavyweight`, `WOMENS_` as `Women's`.
pub(crate) fn class(code: &str) -> String {
    let text = words(code).to_lowercase().replace("womens", "women's");
    capital(&text)
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A share of games won as standings have it: `.543`, `1.000`.
pub(crate) fn average(share: f64) -> String {
    let text = format!("{share:.3}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

/// A difference with its sign; none has none.
pub(crate) fn signed(difference: i64) -> String {
    if difference == 0 { "0".to_owned() } else { format!("{difference:+}") }
}

/// Seconds as a clock has them: `12:07`.
pub(crate) fn clock(seconds: f64) -> String {
    let seconds = seconds.round();
    format!("{}:{:02}", (seconds / 60.0).floor(), seconds % 60.0)
}

/// `premier-league` as `Premier League`.
pub(crate) fn slug_words(slug: &str) -> String {
    slug.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

/// A day of an instant.
pub(crate) fn day(instant: &str) -> &str {
    instant.get(..10).unwrap_or(instant)
}

/// An instant to the minute, in UTC as the API writes it.
pub(crate) fn minute(instant: &str) -> String {
    match instant.get(..16) {
        Some(head) => format!("{} UTC", head.replace('T', " ")),
        None => instant.to_owned(),
    }
}

/// Days since 1970 of a date.
pub(crate) fn days(date: &str) -> Option<f64> {
    let date = chrono::NaiveDate::parse_from_str(day(date), "%Y-%m-%d").ok()?;
    let since = date.signed_duration_since(chrono::NaiveDate::default()).num_days();
    i32::try_from(since).ok().map(f64::from)
}

/// A scale's domain that holds all of these, and 0 unless the unit's numbers are far from it.
pub(crate) fn domain(of: &MetricDefinition<'_>, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if !low.is_finite() {
        return (0.0, 1.0);
    }
    match of.unit {
        "share" if low >= 0.0 => (0.0, 1.0),
        "rating" if low > 0.0 => (low - 25.0, high + 25.0),
        _ => {
            let room = ((high - low.min(0.0)) * 0.05).max(1e-9);
            (if low < 0.0 { low - room } else { 0.0 }, high.max(0.0) + room)
        }
    }
}

/// Lines of a metric's scale.
pub(crate) fn scale_lines(of: &MetricDefinition<'_>, (low, high): (f64, f64), most: u32) -> Vec<Tick> {
    let scale = of.display_scale;
    let at = ticks((low * scale, high * scale), most);
    let step = at.get(1).map_or(1.0, |second| second - at[0]);
    // As many decimals as the step needs: of steps of 2.5, `5` and `7.5` are lines, not `5` and `8`.
    let is_whole = |decimals: &usize| {
        let shown: f64 = format!("{step:.decimals$}").parse().unwrap_or(f64::NAN);
        (shown - step).abs() < step * 1e-6
    };
    let decimals = (0..4).find(is_whole).unwrap_or(4);
    at.into_iter().map(|value| Tick { at: value / scale, text: format!("{value:.decimals$}") }).collect()
}

/// Lines of a scale of days: years, a few at most.
pub(crate) fn year_lines((first, last): (f64, f64)) -> Vec<Tick> {
    let year = |day: f64| 1970.0 + day / 365.2425;
    let years = ticks((year(first), year(last)), 6);
    let whole = years.into_iter().filter(|year| (year - year.round()).abs() < 1e-6);
    whole.map(|year| Tick { at: (year - 1970.0) * 365.2425, text: format!("{year:.0}") }).collect()
}

/// Two values of a metric on one scale, with the ends of their intervals.
pub(crate) fn dumbbell(
    of: &MetricDefinition<'_>,
    label: impl Into<String>,
    [a, b]: [Option<f64>; 2],
    [interval_a, interval_b]: [Option<(f64, f64)>; 2],
) -> Dumbbell {
    let text =
        |value: Option<f64>| value.map_or_else(|| "no value".to_owned(), |value| format_number(of, value));
    let limits = [interval_a, interval_b].into_iter().flatten().flat_map(|(low, high)| [low, high]);
    Dumbbell {
        label: label.into(),
        text: format!("{} | {}", text(a), text(b)),
        a,
        b,
        interval_a,
        interval_b,
        domain: domain(of, [a, b].into_iter().flatten().chain(limits)),
    }
}

/// What stands below a metric's bar.
pub(crate) fn mark(of: &MetricDefinition<'_>, metric: &MetricObject<'_>) -> Option<ValueMark> {
    let value = metric.value?;
    let interval = metric.interval.as_ref().map(ends);
    let mean = metric.shrinkage.as_ref().map(|shrinkage| shrinkage.prior_mean);
    let limits = interval.iter().flat_map(|(low, high)| [*low, *high]);
    let all = limits.chain([value]).chain(metric.raw_value).chain(mean);
    Some(ValueMark { value, interval, raw: metric.raw_value, mean, domain: domain(of, all) })
}

/// A note of the API as a sentence.
pub(crate) fn sentence(note: &str) -> String {
    format!("{}.", capital(&note.replace('`', "")))
}

/// A sample in its unit: what is counted needs no name beside its metric's.
pub(crate) fn sample(amount: f64, unit: &str) -> String {
    format!("{} {}", trimmed(amount), if unit == "count" { "counted" } else { unit })
}

/// Ends of an interval.
pub(crate) fn ends(interval: &Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

/// A metric's unit behind its name.
pub(crate) fn in_unit(definition: &MetricDefinition<'_>) -> String {
    match definition.display_unit {
        "" => String::new(),
        unit => format!(", {unit}"),
    }
}

/// What a value rests on.
pub(crate) fn sample_cell(of: &Sample<'_>) -> Cell {
    Cell::number(of.exposure, sample(of.exposure, of.exposure_unit))
}

/// Why a metric has no value or no percentile.
pub(crate) fn missing_reason(of: &MetricDefinition<'_>, metric: &MetricObject<'_>) -> Option<String> {
    if metric.value.is_none() {
        let (given, least) = (&metric.sample, f64::from(of.min_sample.value));
        return Some(match metric.status {
            "insufficient_sample"
                if metric.confidence_reasons.iter().any(|reason| reason.contains("no_prior")) =>
            {
                "insufficient: no class mean yet to draw it to".to_owned()
            }
            // The sample is large enough, and something else is not.
            "insufficient_sample" if given.exposure >= least => {
                format!("insufficient: {}", confidence_reasons(metric))
            }
            "insufficient_sample" => format!(
                "insufficient: {} in {} bouts (at least {})",
                sample(given.exposure, given.exposure_unit),
                given.bouts,
                sample(least, of.min_sample.unit)
            ),
            other => words(other),
        });
    }
    metric.percentile_reason.map(|why| format!("no percentile: {}", words(why)))
}

/// Why a metric is as sure as it is.
pub(crate) fn confidence_reasons(metric: &MetricObject<'_>) -> String {
    metric.confidence_reasons.iter().map(|reason| words(reason)).collect::<Vec<_>>().join(", ")
}

/// To one decimal, without a zero that says nothing.
pub(crate) fn trimmed(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Place in the pool.
pub(crate) fn percentile(metric: &MetricObject<'_>) -> Cell {
    match &metric.percentile {
        Some(percentile) => Cell::number(
            percentile.value,
            format!("P{:.0} of {} {}", percentile.value, percentile.pool_size, class(percentile.pool)),
        ),
        None => Cell::missing(metric.percentile_reason.map_or_else(|| "none".to_owned(), words)),
    }
}

/// How a bout ended, in a few words.
pub(crate) fn ending(result: &Value) -> String {
    let text = |name: &str| result[name].as_str();
    let mut ending = text("method").map_or_else(String::new, name_method);
    if let Some(detail) = text("method_detail") {
        ending = format!("{ending} ({})", detail.to_lowercase());
    }
    if let Some(round) = result["round"].as_i64() {
        ending = format!("{ending}, round {round}");
    }
    let rest = [text("time"), text("status").filter(|status| *status != "final")];
    rest.into_iter().flatten().fold(ending, |ending, part| format!("{ending}, {part}"))
}

/// `decision_split` as `split decision`.
pub(crate) fn name_method(code: &str) -> String {
    match code {
        "ko_tko" => "KO/TKO".to_owned(),
        "doctor_stoppage" => "stopped by the doctor".to_owned(),
        _ => match code.strip_prefix("decision_") {
            Some(kind) => format!("{kind} decision"),
            None => words(code),
        },
    }
}

/// Both fighters of a bout, the winner first.
pub(crate) fn order_parties(bout: &Value) -> [&Value; 2] {
    let [a, b] = [&bout["fighter_a"], &bout["fighter_b"]];
    let winner = &bout["result"]["winner_id"];
    if !winner.is_null() && b["id"] == *winner { [b, a] } else { [a, b] }
}

/// The same by name.
pub(crate) fn name_parties(bout: &Value) -> [&str; 2] {
    order_parties(bout).map(|side| side["name"].as_str().unwrap_or_default())
}

/// Who defeated whom and how, or how it ended otherwise.
pub(crate) fn describe_result(bout: &Value) -> String {
    let (result, [first, second]) = (&bout["result"], name_parties(bout));
    let outcome = match result["outcome"].as_str() {
        Some("win") => format!("{first} defeats {second}"),
        Some(other) => words(other),
        None => return "not known".to_owned(),
    };
    format!("{outcome}, {}", ending(result))
}

/// Numerator over denominator, as columns.
pub(crate) fn formula(definition: &MetricDefinition<'_>) -> String {
    let sum = |sum: &ColumnSum| {
        let columns = sum.columns.iter().enumerate().map(|(place, column)| match column.strip_prefix('-') {
            Some(column) => format!(" − {column}"),
            None if place > 0 => format!(" + {column}"),
            None => column.clone(),
        });
        let columns = columns.collect::<String>();
        if (sum.per - 1.0).abs() < f64::EPSILON { columns } else { format!("({columns}) / {}", sum.per) }
    };
    match (&definition.numerator, &definition.denominator) {
        (Some(numerator), Some(denominator)) => {
            format!("Sum of {} over sum of {}; o_ is the opponent's.", sum(numerator), sum(denominator))
        }
        _ => format!(
            "No ratio of sums: computed by `{}` from {}.",
            definition.kernel,
            definition.source_columns.join(", ")
        ),
    }
}

/// A place in a row of the ledger as it is told.
pub(crate) fn ledger_place(path: &str) -> &str {
    path.strip_prefix("/state/").unwrap_or(path).trim_start_matches('/')
}

/// What differs from the row of the ledger before, why, and who told.
pub(crate) fn ledger_change(change: &LedgerChange) -> String {
    let text = |value: &Value| match value {
        Value::Null => "not told".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let who = change.source.as_deref().map_or_else(String::new, |source| format!(", {source}"));
    format!(
        "{}: {} → {} ({}{who})",
        words(ledger_place(&change.path)),
        text(&change.from),
        text(&change.to),
        words(&change.cause)
    )
}

/// A value as text; `None` for null.
pub(crate) fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(is) => Some(if *is { "yes" } else { "no" }.to_owned()),
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> MetricDefinition<'static> {
        let metric = r#"{"metric": "m", "family": "f", "label": "M", "short_label": "M", "meaning": "", "unit": "per_min",
            "display_unit": "", "display_scale": 1, "decimals": 2, "direction": "higher", "estimator": "GP", "kernel": "ratio",
            "source_columns": [], "min_sample": {"value": 1, "unit": "min"}, "plain_count": false, "of_the_day": false,
            "validity": {}, "in_splits": false, "introduced_in": "1", "caveats": [], "history": []}"#;
        serde_json::from_str(metric).unwrap()
    }

    #[test]
    fn why_a_value_is_missing_is_the_sample_only_where_that_is_too_small() {
        let why = |exposure: f64, reason: &str| {
            let metric = serde_json::json!({"metric": "m", "family": "f", "unit": "per_min", "direction": "higher",
                "status": "insufficient_sample", "confidence": "insufficient", "confidence_reasons": [reason], "as_of": "",
                "valid_from": "", "definition_version": "1", "origin": "", "is_official": false,
                "provenance": {"snapshot_id": "", "sources": []},
                "sample": {"bouts": 15, "rounds": 20, "exposure": exposure, "exposure_unit": "count", "eligible_bouts": 15}});
            missing_reason(&definition(), &serde::Deserialize::deserialize(&metric).unwrap()).unwrap()
        };
        assert_eq!(why(0.5, "below_min_sample"), "insufficient: 0.5 counted in 15 bouts (at least 1 min)");
        assert_eq!(why(59.0, "weight_below_0.30"), "insufficient: weight below 0.30");
    }

    #[test]
    fn a_line_of_a_scale_says_the_value_that_it_is_at() {
        for high in [0.3, 1.0, 3.0, 8.3, 10.0, 47.0, 900.0] {
            let lines = scale_lines(&definition(), (0.0, high), 4);
            assert!(lines.len() > 1, "{high}");
            for line in lines {
                let said: f64 = line.text.parse().unwrap();
                assert!((said - line.at).abs() < 1e-9, "{high}: {line:?}");
            }
        }
    }

    #[test]
    fn numbers_are_rounded_without_a_minus_before_nothing() {
        let of = definition();
        assert_eq!(
            (format_number(&of, -0.001).as_str(), format_number(&of, -1.005).as_str()),
            ("0.00", "-1.00")
        );
        assert_eq!(quantity(&of, 4.104), "4.10/min");
        assert_eq!(
            (class("WOMENS_FLYWEIGHT").as_str(), minute("2025-11-22T23:00:00+00:00").as_str()),
            ("Women's flyweight", "2025-11-22 23:00 UTC")
        );
    }
}
