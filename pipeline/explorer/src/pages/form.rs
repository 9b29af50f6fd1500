//! `/fighters/{id}/form`: a metric over time, and two days of one fighter.

use fdna_picture::{Caption, SlopeRow, TimePoint, slope, time_line};

use crate::ask::{Api, Ask, Refusal, query};
use crate::model::{Definition, Dna, Interval, MetricDefinitions, Series, SeriesPoint};
use crate::page::{Cell, Field, Figure, Form, Page, Section, Table};
use crate::pages::fighter::links;
use crate::shown::{cell, days, domain, quantity, sample, scale_lines, words, year_lines};

/// Shown unless another is asked for.
const DEFAULT: &str = "house_rating";

/// Lines of a slope that can be told apart.
const SLOPES: usize = 16;

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let definitions = api.definitions().await?;
    let name = ask.or("metric", DEFAULT);
    let series: Series = api
        .data(&format!("/v1/mma/fighters/{}/dna/series{}", ask.id(), query(&[("metric", Some(name))])))
        .await?;
    let definition =
        definitions.find(name).ok_or_else(|| Refusal::not_found(format!("no metric is named `{name}`")))?;
    // Early versions have few percentiles to compare with.
    let middle = series.points.get(series.points.len() / 2);
    let (first, last) = match (middle, series.points.last()) {
        (Some(first), Some(last)) => (first.valid_from.clone(), last.valid_from.clone()),
        _ => return Err(Refusal::not_found("the fighter has no version")),
    };
    let (before, after) = (ask.or("before", &first), ask.or("after", &last));
    let sections =
        vec![over_time(definition, &series), two_days(api, ask, &definitions, before, after).await?];
    Ok(Page {
        title: format!("{} over time", series.fighter.name),
        place: "/fighters",
        links: links(&series.fighter.slug_id, None, "/form"),
        forms: vec![form(&definitions, &series.fighter.slug_id, name, before, after)],
        sections,
        ..Page::default()
    })
}

fn form(definitions: &MetricDefinitions, slug: &str, metric: &str, before: &str, after: &str) -> Form {
    let day = |name, label, value: &str| Field::input("date", name, label, value);
    Form {
        action: format!("/fighters/{slug}/form"),
        submit: "Show",
        fields: vec![
            Field::select("metric", "Metric", metric, definitions.options()),
            day("before", "One day", before),
            day("after", "Another day", after),
        ],
        ..Form::default()
    }
}

fn over_time(definition: &Definition, series: &Series) -> Section {
    let starts: Vec<f64> = series.points.iter().filter_map(|point| days(&point.valid_from)).collect();
    let span = match (starts.first(), starts.last()) {
        // The last version holds until now; half a year of it is shown.
        (Some(first), Some(last)) => (*first, last + 180.0),
        _ => (0.0, 1.0),
    };
    let ends = starts.iter().skip(1).copied().chain([span.1]);
    let points: Vec<TimePoint> = series
        .points
        .iter()
        .zip(starts.iter().zip(ends))
        .map(|(point, (from, to))| TimePoint {
            from: *from,
            to,
            value: point.value,
            interval: point.interval.as_ref().map(Interval::ends),
            raw: point.raw_value.filter(|_| definition.estimator != "EL"),
            text: format!(
                "{}: {}",
                point.valid_from,
                point.value.map_or_else(|| words(&point.status), |value| quantity(definition, value))
            ),
        })
        .collect();
    let values = points
        .iter()
        .flat_map(|point| point.interval.into_iter().flat_map(|(low, high)| [low, high]).chain(point.value));
    let domain = domain(definition, values);
    let title = format!("{} of {}", definition.label, series.fighter.name);
    let caption = Caption {
        id: "over-time",
        title: &title,
        description: "Version after version; every number is in the table below.",
    };
    let svg =
        time_line(caption, &points, (domain, &scale_lines(definition, domain, 5)), (span, &year_lines(span)));
    let note = "Line: shrunk value from one bout to the next; band: 90 % interval; small dots: raw ratio, at the edge where it is beyond the scale; ticks below: days after bouts; hatched: no value.";
    Section::new("time", crate::shown::capital(&definition.meaning))
        .wide()
        .figure(Figure::new(svg, note))
        .table(Table::new(
            format!("{}{}, version by version", definition.label, crate::pages::fighter::in_unit(definition)),
            &["From", "#Value", "#Raw", "#90 % from", "#to", "#Bouts", "#Sample", "Confidence"],
            series.points.iter().rev().map(|point| row(definition, point)).collect(),
        ))
}

fn row(definition: &Definition, point: &SeriesPoint) -> Vec<Cell> {
    let none = if point.value.is_some() { "not shrunk" } else { "none" };
    vec![
        Cell::text(match &point.valid_to {
            Some(to) => format!("{} to {to}", point.valid_from),
            None => point.valid_from.clone(),
        }),
        cell(definition, point.value, &words(&point.status)),
        cell(definition, point.raw_value, "no ratio"),
        cell(definition, point.interval.as_ref().map(|interval| interval.low), none),
        cell(definition, point.interval.as_ref().map(|interval| interval.high), none),
        Cell::count(point.sample.bouts),
        Cell::number(point.sample.exposure, sample(point.sample.exposure, &point.sample.exposure_unit)),
        Cell::text(&point.confidence),
    ]
}

async fn two_days(
    api: &Api,
    ask: &Ask,
    definitions: &MetricDefinitions,
    before: &str,
    after: &str,
) -> Result<Section, Refusal> {
    let section = Section::new("two-days", format!("Percentiles on {before} and {after}")).wide();
    let of = async |day: &str| -> Result<Dna, Refusal> {
        api.data(&format!("/v1/mma/fighters/{}/dna{}", ask.id(), query(&[("as_of", Some(day))]))).await
    };
    let (first, second) = match (of(before).await, of(after).await) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(refusal), _) | (_, Err(refusal)) if refusal.status == 404 => {
            return Ok(section.line(refusal.message));
        }
        (Err(refusal), _) | (_, Err(refusal)) => return Err(refusal),
    };
    let pairs = first
        .metrics
        .iter()
        .zip(&second.metrics)
        .filter_map(|(a, b)| Some((definitions.find(&a.metric)?, a, b)));
    let pairs: Vec<_> = pairs.filter(|(_, a, b)| a.percentile.is_some() && b.percentile.is_some()).collect();
    if pairs.is_empty() {
        return Ok(section.line("No metric has a percentile on both days."));
    }
    let place = |metric: &crate::model::Metric| metric.percentile.as_ref().map(|percentile| percentile.value);
    let text =
        |metric: &crate::model::Metric| place(metric).map_or_else(String::new, |value| format!("{value:.0}"));
    let rows: Vec<SlopeRow> = pairs
        .iter()
        .take(SLOPES)
        .map(|(definition, a, b)| SlopeRow {
            label: definition.label.clone(),
            before: place(a),
            after: place(b),
            text_before: text(a),
            text_after: text(b),
        })
        .collect();
    let caption = Caption {
        id: "slope",
        title: "Percentiles on two days",
        description: "Lines join a metric's percentiles on both days; the numbers are in the table below.",
    };
    let svg = slope(caption, (before, after), &rows);
    let pool = |metric: &crate::model::Metric| crate::shown::percentile(metric);
    let head = ["Metric", &format!("#{before}"), &format!("#{after}")];
    let table = pairs.iter().map(|(definition, a, b)| {
        vec![Cell::link(&definition.label, format!("/metrics/{}", definition.metric)), pool(a), pool(b)]
    });
    let note = format!(
        "The first {} metrics that have a percentile on both days; all are in the table. The pools are those of each day.",
        rows.len()
    );
    Ok(section.figure(Figure::new(svg, note)).table(Table::new(
        "Percentiles on two days",
        &head,
        table.collect(),
    )))
}
