//! `/fighters/{id}/form`: a metric over time, and two days of one fighter.

use fdna_api::{MetricDefinition, MetricObject, SeriesPoint};
use fdna_picture::{Caption, SlopeRow, TimePoint, slope, time_line};
use serde_json::Value;

use crate::ask::{Refusal, read_part, text_at};
use crate::declared::PageView;
use crate::page::{Cell, Figure, Section, Table, TableColumn};
use crate::shown::{days, domain, ends, percentile, quantity, scale_lines, words, year_lines};

/// Lines of a slope that can be told apart.
const SLOPES: usize = 8;

/// A metric on two days.
type Pair<'m, 'a> = (&'m MetricDefinition<'a>, &'m MetricObject<'a>, &'m MetricObject<'a>);

/// Rows are the newest first.
pub(super) fn draw_over_time(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let metric = view.page_metric()?;
    let versions: Vec<SeriesPoint<'_>> = rows.iter().rev().filter_map(|row| read_part(row).ok()).collect();
    let starts: Vec<f64> = versions.iter().filter_map(|point| days(point.valid_from)).collect();
    // The last version holds until now; half a year of it is shown.
    let span = starts.first().zip(starts.last()).map_or((0.0, 1.0), |(first, last)| (*first, last + 180.0));
    let until = starts.iter().skip(1).copied().chain([span.1]);
    let points = versions.iter().zip(starts.iter().zip(until));
    let points: Vec<TimePoint> =
        points.map(|(point, (from, to))| time_point(metric, point, (*from, to))).collect();
    let values = points
        .iter()
        .flat_map(|point| point.interval.into_iter().flat_map(|(low, high)| [low, high]).chain(point.value));
    let domain = domain(metric, values);
    let title = format!("{} of {}", metric.label, text_at(view.answer_data("series"), "/fighter/name"));
    let caption = Caption {
        id: "over-time",
        title: &title,
        description: "Version after version; every number is in the table below.",
    };
    let lines = scale_lines(metric, domain, 5);
    let svg = time_line(caption, &points, (domain, &lines), (span, &year_lines(span)));
    let note = "Line: shrunk value from one bout to the next; band: 90 % interval; small dots: raw ratio, at the edge where it is beyond the scale; ticks below: days after bouts; hatched: no value.";
    Some(Figure::new(svg, note))
}

fn time_point(metric: &MetricDefinition<'_>, point: &SeriesPoint<'_>, (from, to): (f64, f64)) -> TimePoint {
    let value = point.value.map_or_else(|| words(point.status), |value| quantity(metric, value));
    TimePoint {
        from,
        to,
        value: point.value,
        interval: point.interval.as_ref().map(ends),
        raw: point.raw_value.filter(|_| metric.estimator != "EL"),
        text: format!("{}: {value}", point.valid_from),
    }
}

pub(super) fn compare_days(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let (first, second) = (view.answer_data("first"), view.answer_data("second"));
    let (before, after) = (text_at(first, "/as_of"), text_at(second, "/as_of"));
    let section = Section::new("two-days", format!("Percentiles on {before} and {after}")).wide();
    let (first, second): (Vec<MetricObject<'_>>, Vec<MetricObject<'_>>) =
        (read_part(&first["metrics"])?, read_part(&second["metrics"])?);
    let pairs = first.iter().zip(&second).filter_map(|(a, b)| Some((view.find_definition(a.metric)?, a, b)));
    let pairs: Vec<Pair<'_, '_>> =
        pairs.filter(|(_, a, b)| a.percentile.is_some() && b.percentile.is_some()).collect();
    if pairs.is_empty() {
        return Ok(vec![section.line("No metric has a percentile on both days.")]);
    }
    let place = |metric: &MetricObject<'_>| metric.percentile.as_ref().map(|percentile| percentile.value);
    let shown =
        |metric: &MetricObject<'_>| place(metric).map_or_else(String::new, |value| format!("{value:.0}"));
    let distance = |(_, a, b): &Pair<'_, '_>| place(a).zip(place(b)).map_or(0.0, |(a, b)| (a - b).abs());
    let mut moved = pairs.clone();
    moved.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
    let rows = moved.iter().take(SLOPES).map(|(definition, a, b)| SlopeRow {
        label: definition.short_label.to_owned(),
        before: place(a),
        after: place(b),
        text_before: shown(a),
        text_after: shown(b),
    });
    let rows: Vec<SlopeRow> = rows.collect();
    let caption = Caption {
        id: "slope",
        title: "Percentiles on two days",
        description: "Lines join a metric's percentiles on both days; the numbers are in the table below.",
    };
    let note = format!(
        "The {} metrics that moved most of those with a percentile on both days; the table has all. The pools are those of each day.",
        rows.len()
    );
    let figure = Figure::new(slope(caption, (before, after), &rows), note);
    let columns = [TableColumn::text("Metric"), TableColumn::number(before), TableColumn::number(after)];
    let row = |(definition, a, b): &Pair<'_, '_>| {
        let name = Cell::link(definition.label, format!("/metrics/{}", definition.metric));
        vec![name, percentile(a), percentile(b)]
    };
    let table = Table::new("Percentiles on two days", columns, pairs.iter().map(row));
    Ok(vec![section.figure(figure).table(table)])
}
