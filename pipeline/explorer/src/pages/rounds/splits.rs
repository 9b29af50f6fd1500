//! Splits as dumbbells: a part beside the whole, and whether the two can be told apart.

use fdna_picture::{Caption, Dumbbell, dumbbells};

use crate::model::{Interval, MetricDefinitions, Split, SplitMetric, Splits};
use crate::page::{Cell, Figure, Section, Table};
use crate::shown::{capital, cell, class, domain, number, sentence, words};

/// What each split shows; the API has more.
const METRICS: [&str; 4] =
    ["sig_landed_per_min", "sig_absorbed_per_min", "td_landed_per_15", "control_share"];

/// A section for each dimension.
pub(crate) fn sections(definitions: &MetricDefinitions, splits: &Splits) -> Vec<Section> {
    let mut dimensions: Vec<&str> = splits.splits.iter().map(|split| split.dimension.as_str()).collect();
    dimensions.dedup();
    let mut notes = splits.notes.as_slice();
    let section = |dimension: &str| {
        let of: Vec<&Split> = splits.splits.iter().filter(|split| split.dimension == dimension).collect();
        let section = of_dimension(definitions, dimension, &of);
        // What must be known is said once.
        std::mem::take(&mut notes).iter().map(|note| sentence(note)).fold(section, Section::line)
    };
    dimensions.into_iter().map(section).collect()
}

fn of_dimension(definitions: &MetricDefinitions, dimension: &str, splits: &[&Split]) -> Section {
    let named = splits.iter().flat_map(|split| {
        let shown =
            METRICS.iter().filter_map(|name| split.metrics.iter().find(|metric| metric.metric == *name));
        shown.filter_map(|metric| Some((*split, metric, definitions.find(&metric.metric)?)))
    });
    let named: Vec<_> = named.collect();
    let rows: Vec<Dumbbell> = named
        .iter()
        .map(|(split, metric, definition)| {
            let interval = metric.interval.as_ref().map(Interval::ends);
            let ends = interval.into_iter().flat_map(|(low, high)| [low, high]);
            let all = ends.chain(metric.value).chain(metric.overall.value);
            let text = |value: Option<f64>| {
                value.map_or_else(|| "no value".to_owned(), |value| number(definition, value))
            };
            Dumbbell {
                label: format!("{}: {}", class(&split.key), definition.short_label),
                text: format!(
                    "{} | {} · {}",
                    text(metric.value),
                    text(metric.overall.value),
                    verdict(metric)
                ),
                a: metric.value,
                b: metric.overall.value.filter(|_| metric.value.is_some()),
                interval_a: interval,
                interval_b: None,
                domain: domain(definition, all),
            }
        })
        .collect();
    let heading = format!("By {}", words(dimension));
    let id = format!("split-{dimension}");
    let caption = Caption {
        id: &id,
        title: &heading,
        description: "Each kind of bouts beside all bouts; the numbers are in the table below.",
    };
    let svg = dumbbells(caption, ("in these bouts", "in all bouts"), &rows);
    let table = named.iter().map(|(split, metric, definition)| {
        let why = metric.reason.as_deref().map_or_else(|| words(&metric.status), words);
        vec![
            Cell::text(class(&split.key)),
            Cell::count(split.bouts),
            Cell::text(&definition.label),
            cell(definition, metric.value, &why),
            cell(definition, metric.overall.value, "no value"),
            cell(definition, metric.delta.as_ref().map(|delta| delta.value), "none"),
            Cell::text(verdict(metric)),
        ]
    });
    let head = ["Kind", "#Bouts", "Metric", "#In these", "#In all", "#Difference", "Told apart"];
    Section::new(format!("by-{dimension}"), heading.clone()).figure(Figure::new(svg, "")).table(Table::new(
        capital(&heading),
        &head,
        table.collect(),
    ))
}

fn verdict(metric: &SplitMetric) -> String {
    match metric.delta.as_ref().map(|delta| delta.distinguishable) {
        Some(Some(true)) => "distinguishable".to_owned(),
        Some(Some(false)) => "not distinguishable".to_owned(),
        Some(None) => "variance not known".to_owned(),
        None => metric.reason.as_deref().map_or_else(|| words(&metric.status), words),
    }
}
