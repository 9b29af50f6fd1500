//! Splits as dumbbells: a part beside the whole, and whether the two can be told apart.

use fdna_api::{MetricDefinition, Split, SplitMetric};
use fdna_picture::{Caption, Dumbbell, dumbbells};

use crate::ask::{Refusal, read_part};
use crate::declared::PageView;
use crate::page::{Cell, Figure, Section, Table, TableColumn};
use crate::shown::{capital, class, dumbbell, ends, metric_cell, words};

/// What each split shows; the API has more.
const METRICS: [&str; 4] =
    ["sig_landed_per_min", "sig_absorbed_per_min", "td_landed_per_15", "control_share"];

/// A split, one of its metrics, and what that is.
type SplitRow<'v, 'a> = (&'v Split<'a>, &'v SplitMetric<'a>, &'v MetricDefinition<'a>);

/// A section for each dimension.
pub(crate) fn draw_splits(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let answer = view.answer_data("splits");
    let splits: Vec<Split<'_>> = read_part(&answer["splits"])?;
    let mut dimensions: Vec<&str> = splits.iter().map(|split| split.dimension).collect();
    dimensions.dedup();
    let mut sections: Vec<Section> =
        dimensions.into_iter().map(|dimension| of_dimension(view, dimension, &splits)).collect();
    // What must be known is said once.
    if let Some(first) = sections.first_mut() {
        *first = super::with_notes(std::mem::take(first), answer);
    }
    Ok(sections)
}

fn of_dimension(view: &PageView<'_>, dimension: &str, splits: &[Split<'_>]) -> Section {
    let of = splits.iter().filter(|split| split.dimension == dimension);
    let named = of.flat_map(|split| {
        let shown =
            METRICS.iter().filter_map(|name| split.metrics.iter().find(|metric| metric.metric == *name));
        shown.filter_map(move |metric| Some((split, metric, view.find_definition(metric.metric)?)))
    });
    let named: Vec<SplitRow<'_, '_>> = named.collect();
    let rows: Vec<Dumbbell> = named.iter().map(part_and_whole).collect();
    let heading = format!("By {}", words(dimension));
    let id = format!("split-{dimension}");
    let caption = Caption {
        id: &id,
        title: &heading,
        description: "Each kind of bouts beside all bouts; the numbers are in the table below.",
    };
    let svg = dumbbells(caption, ("in these bouts", "in all bouts"), &rows);
    let table = named.iter().map(|(split, metric, definition)| {
        let why = words(metric.reason.unwrap_or(metric.status));
        vec![
            Cell::text(class(split.key)),
            Cell::count(split.bouts.into()),
            Cell::text(definition.label),
            metric_cell(definition, metric.value, &why),
            metric_cell(definition, metric.overall.value, "no value"),
            metric_cell(definition, metric.delta.as_ref().map(|delta| delta.value), "none"),
            Cell::text(describe_verdict(metric)),
        ]
    });
    let columns = [
        TableColumn::text("Kind"),
        TableColumn::number("Bouts"),
        TableColumn::text("Metric"),
        TableColumn::number("In these"),
        TableColumn::number("In all"),
        TableColumn::number("Difference"),
        TableColumn::text("Told apart"),
    ];
    let table = Table::new(capital(&heading), columns, table);
    Section::new(format!("by-{dimension}"), heading).figure(Figure::new(svg, "")).table(table)
}

fn part_and_whole((split, metric, definition): &SplitRow<'_, '_>) -> Dumbbell {
    let label = format!("{}: {}", class(split.key), definition.short_label);
    let intervals = [metric.interval.as_ref().map(ends), None];
    let both = dumbbell(definition, label, [metric.value, metric.overall.value], intervals);
    let text = format!("{} · {}", both.text, describe_verdict(metric));
    Dumbbell { text, b: both.b.filter(|_| metric.value.is_some()), ..both }
}

fn describe_verdict(metric: &SplitMetric<'_>) -> String {
    match metric.delta.as_ref().map(|delta| delta.distinguishable) {
        Some(Some(true)) => "distinguishable".to_owned(),
        Some(Some(false)) => "not distinguishable".to_owned(),
        Some(None) => "variance not known".to_owned(),
        None => words(metric.reason.unwrap_or(metric.status)),
    }
}
