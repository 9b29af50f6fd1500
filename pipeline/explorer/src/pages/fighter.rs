//! `/fighters/{id}`: Fight DNA as of a day, family by family.

mod summary;
mod why;

pub(super) use summary::summarise_profile;
pub(super) use why::explain_value;

use fdna_api::{MetricDefinition, MetricObject};
use fdna_picture::{Caption, MetricRow, percentile_bars};
use serde_json::Value;

use crate::ask::text_at;
use crate::declared::PageView;
use crate::page::Figure;
use crate::shown::{family_name, mark, missing_reason, quantity};

/// Percentiles and values of a family of metrics.
pub(super) fn draw_percentiles(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let dna = view.answer_data("dna");
    let family = rows.first()?["family"].as_str()?;
    let metrics = view.dna_metrics().ok()?;
    let bar = |row: &&Value| {
        let name = row["metric"].as_str()?;
        let metric = metrics.iter().find(|metric| metric.metric == name)?;
        Some(percentile_bar(view.find_definition(name)?, metric))
    };
    let rows: Vec<MetricRow> = rows.iter().filter_map(bar).collect();
    let title = format!("{}: {}", text_at(dna, "/fighter/name"), family_name(family));
    let description = format!(
        "Percentiles and values as of {}; every number is in the table below.",
        text_at(dna, "/as_of")
    );
    let caption = Caption { id: family, title: &title, description: &description };
    Some(Figure::new(percentile_bars(caption, &rows), ""))
}

fn percentile_bar(definition: &MetricDefinition<'_>, metric: &MetricObject<'_>) -> MetricRow {
    let place = metric
        .percentile
        .as_ref()
        .map(|percentile| format!(" · P{:.0} of {}", percentile.value, percentile.pool_size));
    let text = match metric.value {
        Some(value) => {
            format!("{}{} · {}", quantity(definition, value), place.unwrap_or_default(), metric.confidence)
        }
        None => format!("{} bouts", metric.sample.bouts),
    };
    MetricRow {
        label: definition.label.to_owned(),
        text,
        percentile: metric.percentile.as_ref().map(|percentile| percentile.value),
        value: mark(definition, metric),
        missing: missing_reason(definition, metric),
    }
}
