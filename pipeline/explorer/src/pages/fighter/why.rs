//! "Why this number": the formula, the bouts that were summed and those that were not.

use fdna_api::{ExcludedBout, MetricDefinition, MetricObject, Quantity};
use serde_json::Value;

use crate::ask::{Refusal, read_part, text_at};
use crate::declared::PageView;
use crate::page::{Cell, Section, Table, TableColumn};
use crate::shown::{capital, class, format_number, formula, quantity, trimmed, words};

pub(crate) fn explain_value(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let dna = view.answer_data("why");
    let metrics: Vec<MetricObject<'_>> = read_part(&dna["metrics"])?;
    let found = metrics.first().and_then(|metric| Some((view.find_definition(metric.metric)?, metric)));
    let (definition, metric) = found.ok_or_else(Refusal::unreadable_answer)?;
    let section = Section::new("why", format!("Why this number: {}", definition.label)).wide();
    let section = lines(definition, metric, text_at(dna, "/as_of")).into_iter().fold(section, Section::line);
    let table = |caption: String, why: &str, rows: Vec<Vec<Cell>>| {
        Table::new(caption, ["Date", "Opponent", why].map(TableColumn::text), rows)
    };
    let section = match metric.provenance.bout_ids.as_ref().and_then(Option::as_ref) {
        Some(ids) => {
            let rows = ids.iter().map(|id| draw_bout(view, &id.to_string(), "summed".to_owned())).collect();
            section.table(table(format!("{} bouts that were summed", ids.len()), "Part", rows))
        }
        None => section.line("Which bouts were summed cannot be told from the snapshot."),
    };
    let section = match metric.provenance.excluded.as_deref() {
        Some([]) => section.line("No bout before the day was left out."),
        Some(excluded) => {
            let row = |one: &ExcludedBout| draw_bout(view, &one.bout_id.to_string(), words(one.reason));
            let caption = format!("{} bouts before the day that do not enter", excluded.len());
            section.table(table(caption, "Reason", excluded.iter().map(row).collect()))
        }
        None => section.line("Which bouts were left out cannot be told from the snapshot."),
    };
    Ok(vec![section])
}

/// A bout of the fighter as a row, with what it is to the number.
fn draw_bout(view: &PageView<'_>, id: &str, part: String) -> Vec<Cell> {
    let (href, part) = (format!("/bouts/{id}"), Cell::text(part));
    let history = view.answer_data("fighter")["history"].as_array();
    let find = |item: &&Value| item["bout"]["id"] == id;
    let Some(item) = history.and_then(|history| history.iter().find(find)) else {
        return vec![Cell::link("bout", href), Cell::missing("not among the bouts shown"), part];
    };
    let opponent = format!("/fighters/{}", text_at(item, "/opponent/slug_id"));
    vec![
        Cell::link(text_at(item, "/event/event_date"), href),
        Cell::link(text_at(item, "/opponent/name"), opponent),
        part,
    ]
}

fn lines(definition: &MetricDefinition<'_>, metric: &MetricObject<'_>, as_of: &str) -> Vec<String> {
    let mut lines = vec![format!("{}, as of {as_of}.", capital(definition.meaning)), formula(definition)];
    let sample = &metric.sample;
    if let (Some(numerator), Some(denominator)) = (sample.numerator, sample.denominator) {
        lines.push(format!(
            "Sums over {} bouts: {} {} over {} {}.",
            sample.bouts,
            trimmed(sum(numerator)),
            sample.numerator_unit.unwrap_or_default(),
            trimmed(sum(denominator)),
            sample.denominator_unit.unwrap_or_default()
        ));
    }
    if let (Some(shrinkage), Some(raw), Some(value)) = (&metric.shrinkage, metric.raw_value, metric.value) {
        lines.push(format!(
            "Raw {} with weight {:.2}, class mean {} ({}, five years before) with the rest: {}. The mean counts as {} in the denominator's unit.",
            format_number(definition, raw), shrinkage.weight, format_number(definition, shrinkage.prior_mean),
            class(shrinkage.prior_population), quantity(definition, value), trimmed(shrinkage.prior_strength)
        ));
    }
    lines.push(format!("Confidence {}.", metric.confidence));
    lines
}

fn sum(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Whole(sum) => sum as f64,
        Quantity::Weighted(sum) => sum,
    }
}
