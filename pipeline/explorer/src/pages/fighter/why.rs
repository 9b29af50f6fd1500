//! "Why this number": the formula, the bouts that were summed and those that were not.

use crate::ask::{Api, Ask, Refusal, query};
use crate::model::{ColumnSum, Definition, Dna, FighterDetail, Metric, MetricDefinitions};
use crate::page::{Cell, Section, Table};
use crate::shown::{number, quantity, trimmed, words};

pub(crate) async fn section(
    api: &Api,
    ask: &Ask,
    definitions: &MetricDefinitions,
    detail: &FighterDetail,
    name: &str,
) -> Result<Section, Refusal> {
    let pairs = [("metrics", Some(name)), ("include", Some("provenance")), ("as_of", ask.get("as_of"))];
    let dna: Dna = api.data(&format!("/v1/mma/fighters/{}/dna{}", ask.id(), query(&pairs))).await?;
    let (Some(definition), Some(metric)) = (definitions.find(name), dna.metrics.first()) else {
        return Err(Refusal::not_found(format!("no metric is named `{name}`")));
    };
    let section = Section::new("why", format!("Why this number: {}", definition.label)).wide();
    let section = lines(definition, metric, &dna.as_of).into_iter().fold(section, Section::line);
    let find = |id: &str| detail.history.iter().find(|item| item.bout.id == id);
    let row = |id: &str, why: Cell| {
        let (date, opponent) = match find(id) {
            Some(item) => (
                Cell::link(&item.event.event_date, format!("/bouts/{id}")),
                Cell::link(&item.opponent.name, item.opponent.href()),
            ),
            None => (Cell::link("bout", format!("/bouts/{id}")), Cell::missing("not among the bouts shown")),
        };
        vec![date, opponent, why]
    };
    let section = match &metric.provenance.bout_ids {
        Some(ids) => section.table(Table::new(
            format!("{} bouts that were summed", ids.len()),
            &["Date", "Opponent", "Part"],
            ids.iter().map(|id| row(id, Cell::text("summed"))).collect(),
        )),
        None => section.line("Which bouts were summed cannot be told from the snapshot."),
    };
    Ok(match &metric.provenance.excluded {
        Some(excluded) if !excluded.is_empty() => section.table(Table::new(
            format!("{} bouts before the day that do not enter", excluded.len()),
            &["Date", "Opponent", "Reason"],
            excluded.iter().map(|one| row(&one.bout_id, Cell::text(words(&one.reason)))).collect(),
        )),
        Some(_) => section.line("No bout before the day was left out."),
        None => section.line("Which bouts were left out cannot be told from the snapshot."),
    })
}

fn lines(definition: &Definition, metric: &Metric, as_of: &str) -> Vec<String> {
    let mut lines =
        vec![format!("{}, as of {as_of}.", crate::shown::capital(&definition.meaning)), formula(definition)];
    let sample = &metric.sample;
    if let (Some(numerator), Some(denominator)) = (sample.numerator, sample.denominator) {
        let unit = |unit: &Option<String>| unit.as_deref().unwrap_or("").to_owned();
        lines.push(format!(
            "Sums over {} bouts: {} {} over {} {}.",
            sample.bouts,
            trimmed(numerator),
            unit(&sample.numerator_unit),
            trimmed(denominator),
            unit(&sample.denominator_unit)
        ));
    }
    if let (Some(shrinkage), Some(raw), Some(value)) = (&metric.shrinkage, metric.raw_value, metric.value) {
        lines.push(format!(
            "Raw {} with weight {:.2}, class mean {} ({}, five years before) with the rest: {}. The mean counts as {} in the denominator's unit.",
            number(definition, raw), shrinkage.weight, number(definition, shrinkage.prior_mean),
            crate::shown::class(&shrinkage.prior_population), quantity(definition, value), trimmed(shrinkage.prior_strength)
        ));
    }
    lines.push(format!("Confidence {}.", metric.confidence));
    lines
}

/// Numerator over denominator, as columns.
pub(crate) fn formula(definition: &Definition) -> String {
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
