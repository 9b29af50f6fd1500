//! A fighter's best and worst metrics: those that tell fighters apart and foretell, by their percentiles.

use fdna_api::{MetricDefinition, MetricObject};

use crate::ask::Refusal;
use crate::declared::PageView;
use crate::page::{Cell, Section, Table, TableColumn};
use crate::shown::{format_number, quantity};

/// Metrics of each list, at most.
const LISTED: usize = 5;

/// A metric, and where he stands.
type Placed<'v, 'a> = (&'v MetricDefinition<'a>, &'v MetricObject<'a>, f64);

/// Two sections. Metrics without a gate are not in them: of those nobody has shown that a difference holds in the next bout.
pub(crate) fn summarise_profile(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let metrics = view.dna_metrics()?;
    let is_sure = |metric: &&MetricObject<'_>| {
        matches!(metric.confidence, "medium" | "high") && metric.direction != "neutral"
    };
    let sure = metrics.iter().filter(is_sure).filter_map(|metric| {
        let definition =
            view.find_definition(metric.metric).filter(|definition| definition.gate.is_some())?;
        Some((definition, metric, metric.percentile.as_ref()?.value))
    });
    let mut placed: Vec<Placed<'_, '_>> = sure.collect();
    placed.sort_by(|(.., a), (.., b)| b.total_cmp(a));
    let strengths: Vec<_> = placed.iter().filter(|(.., place)| *place >= 60.0).take(LISTED).collect();
    let weaknesses: Vec<_> = placed.iter().rev().filter(|(.., place)| *place <= 40.0).take(LISTED).collect();
    Ok(vec![draw_list(view, "Strengths", &strengths), draw_list(view, "Weaknesses", &weaknesses)])
}

fn draw_list(view: &PageView<'_>, heading: &str, placed: &[&Placed<'_, '_>]) -> Section {
    let section = Section::new(heading.to_lowercase(), heading);
    if placed.is_empty() {
        return section.line("None of medium confidence or more is far from the middle on this side.");
    }
    let row = |(definition, metric, place): &&Placed<'_, '_>| {
        let interval = metric.interval.as_ref().map(|interval| {
            let [low, high] = [interval.low, interval.high].map(|end| format_number(definition, end));
            format!("{low} to {high}")
        });
        vec![
            view.metric_link(definition.metric),
            metric.value.map_or_else(
                || Cell::missing("none"),
                |value| Cell::number(value, quantity(definition, value)),
            ),
            Cell::of(interval),
            Cell::number(*place, format!("P{place:.0}")),
        ]
    };
    let columns = [
        TableColumn::text("Metric"),
        TableColumn::number("Value"),
        TableColumn::number("90 % interval"),
        TableColumn::number("Percentile"),
    ];
    let caption = format!("{heading} among active fighters of the class");
    section.table(Table::new(caption, columns, placed.iter().map(row)))
}
