//! `/fighters/{id}/rounds`: round by round, how bouts end, and splits.

mod splits;

pub(super) use splits::draw_splits;

use fdna_api::{MethodRoundCount, MetricDefinition, Round, RoundRates, RoundSide};
use fdna_picture::{Caption, HeatCell, heat_map};
use serde_json::Value;

use super::grid::{ShadedRow, named_and_numbers, shaded_grid};
use crate::ask::{Refusal, read_part};
use crate::declared::PageView;
use crate::page::{Cell, Figure, Section, Table, TableColumn};

use crate::shown::{format_number, in_unit, metric_cell, sentence, trimmed, words};

/// A number of one side of a round, and its name and decimals.
struct Measure {
    label: &'static str,
    decimals: usize,
    scale: f64,
    of: fn(&RoundRates) -> Option<f64>,
}

/// The fighter, or those he met.
type SideOf = fn(&Round) -> &RoundSide;

const MEASURES: &[Measure] = &[
    Measure { label: "Sig. landed /min", decimals: 2, scale: 1.0, of: |side| side.sig_landed_per_min },
    Measure { label: "Sig. tried /min", decimals: 2, scale: 1.0, of: |side| side.sig_attempted_per_min },
    Measure { label: "Sig. accuracy %", decimals: 0, scale: 100.0, of: |side| side.sig_accuracy },
    Measure { label: "Takedowns /15", decimals: 2, scale: 1.0, of: |side| side.td_landed_per_15 },
    Measure { label: "Knockdowns /15", decimals: 2, scale: 1.0, of: |side| side.knockdowns_per_15 },
    Measure { label: "Control, % of time", decimals: 0, scale: 100.0, of: |side| side.control_share },
];

pub(super) fn draw_rounds_and_endings(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let (profile, finishes) = (view.answer_data("rounds"), view.answer_data("finishes"));
    let (all, comparable): (Vec<Round>, Vec<Round>) =
        (read_part(&profile["rounds"])?, read_part(&profile["comparable"]["rounds"])?);
    let same = format!("Bouts whose rounds 1 and 3 were both full: {}", profile["comparable"]["bouts"]);
    Ok(vec![
        with_notes(grid("all", "All bouts that reached the round", &all), profile),
        grid("same", &same, &comparable),
        targets_and_positions(view)?,
        with_notes(ending_grid("wins", "Wins by method and round", &finishes["wins"])?, finishes),
        ending_grid("losses", "Losses by method and round", &finishes["losses"])?,
    ])
}

/// What must be known to read an answer.
fn with_notes(section: Section, answer: &Value) -> Section {
    let notes = answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    notes.map(sentence).fold(section, Section::line)
}

/// Shades are by row: darkest where the row is largest.
fn grid(id: &str, heading: &str, rounds: &[Round]) -> Section {
    let reached: Vec<&Round> = rounds.iter().filter(|round| round.bouts_reached > 0).collect();
    let section = Section::new(format!("rounds-{id}"), heading);
    if reached.is_empty() {
        return section.line("There is no such bout.");
    }
    let sides: [(&str, SideOf); 2] = [("own", |round| &round.own), ("opponents", |round| &round.opponent)];
    let mut rows = Vec::new();
    let mut table = Vec::new();
    for (name, side) in sides {
        for measure in MEASURES {
            let values: Vec<Option<f64>> =
                reached.iter().map(|round| (measure.of)(&side(round).rates)).collect();
            let most = values.iter().flatten().copied().fold(0.0, f64::max);
            let text = |value: f64| format!("{:.*}", measure.decimals, value * measure.scale);
            let shade = |value: f64| if most > 0.0 { value / most } else { 0.0 };
            if name == "own" || measure.label.starts_with("Sig. landed") {
                let cells = values
                    .iter()
                    .map(|value| value.map(|value| HeatCell { shade: shade(value), text: text(value) }));
                let label = if name == "own" { measure.label.to_owned() } else { "Absorbed /min".to_owned() };
                rows.push((label, cells.collect()));
            }
            let mut row = vec![Cell::text(format!("{} ({name})", measure.label))];
            row.extend(values.iter().map(|value| {
                value.map_or_else(|| Cell::missing("not recorded"), |value| Cell::number(value, text(value)))
            }));
            table.push(row);
        }
    }
    let mut counts = vec![Cell::text("Bouts")];
    counts.extend(reached.iter().map(|round| Cell::count(round.bouts_reached.into())));
    let mut minutes = vec![Cell::text("Minutes")];
    minutes.extend(reached.iter().map(|round| Cell::number(round.minutes, trimmed(round.minutes))));
    table.extend([counts, minutes]);
    let columns: Vec<String> = reached.iter().map(|round| format!("Round {}", round.round)).collect();
    let (id, description) =
        (format!("heat-{id}"), "Darker is more, within a row; the numbers are in the table below.");
    let svg = heat_map(Caption { id: &id, title: heading, description }, &columns, &rows);
    section
        .figure(Figure::new(svg, "Darker is more, within a row. Hatched: not recorded."))
        .table(Table::new(heading, named_and_numbers("Measure", columns), table))
}

/// Targets beside positions: sources count each by itself, so that there is no grid of both.
fn targets_and_positions(view: &PageView<'_>) -> Result<Section, Refusal> {
    let metrics = view.dna_metrics()?;
    let rows: [(&str, [&str; 3]); 4] = [
        ("Target share", ["head_share", "body_share", "leg_share"]),
        ("Target accuracy", ["head_accuracy", "body_accuracy", "leg_accuracy"]),
        ("Position share", ["distance_share", "clinch_share", "ground_share"]),
        (
            "Position, landed",
            ["distance_landed_per_neutral_min", "clinch_landed_per_min", "ground_landed_per_min"],
        ),
    ];
    let find = |name: &str| -> Option<(&MetricDefinition<'_>, Option<f64>)> {
        let metric = metrics.iter().find(|metric| metric.metric == name)?;
        Some((view.find_definition(name)?, metric.value))
    };
    let heat = |name: &&str| -> Option<HeatCell> {
        let (definition, value) = find(name)?;
        let value = value?;
        let shade = if definition.unit == "share" { value } else { value / 5.0 };
        Some(HeatCell { shade, text: format_number(definition, value) })
    };
    let grid: Vec<ShadedRow> =
        rows.iter().map(|(label, names)| ((*label).to_owned(), names.iter().map(heat).collect())).collect();
    let columns = ["head | distance", "body | clinch", "leg | ground"].map(str::to_owned);
    let caption = Caption {
        id: "where",
        title: "Targets and positions",
        description: "Shares and accuracies in percent, rates per minute; the numbers are in the table below.",
    };
    let svg = heat_map(caption, &columns, &grid);
    let listed = rows.iter().flat_map(|(_, names)| names).filter_map(|name| find(name));
    let table = listed.map(|(definition, value)| {
        let name = view.metric_link(definition.metric);
        let name = Cell { text: format!("{}{}", name.text, in_unit(definition)), ..name };
        vec![name, metric_cell(definition, value, "no value")]
    });
    Ok(Section::new("where", "Targets and positions")
        .line("Sources count targets and positions each by itself: how many strikes to the body were thrown in the clinch is not recorded.")
        .figure(Figure::new(svg, "Hatched: no value."))
        .table(Table::new("Targets and positions", [TableColumn::text("Metric"), TableColumn::number("Value")], table)))
}

fn ending_grid(id: &str, heading: &str, endings: &Value) -> Result<Section, Refusal> {
    let section = Section::new(id, heading);
    let counts: Vec<MethodRoundCount<'_>> = read_part(&endings["by_method_and_round"])?;
    if counts.is_empty() {
        return Ok(section.line("None among the eligible bouts."));
    }
    let last = counts.iter().map(|one| one.round).max().unwrap_or(1);
    let mut methods: Vec<&str> = Vec::new();
    for one in &counts {
        if !methods.contains(&one.method) {
            methods.push(one.method);
        }
    }
    let count = |method: &str, round: i32| {
        let found = counts.iter().find(|one| one.method == method && one.round == round);
        found.map_or(0, |one| one.bouts)
    };
    let most = counts.iter().map(|one| one.bouts).max().unwrap_or(1).max(1);
    let heat =
        |bouts: i32| Some(HeatCell { shade: f64::from(bouts) / f64::from(most), text: bouts.to_string() });
    let rows: Vec<ShadedRow> = methods
        .iter()
        .map(|method| (words(method), (1..=last).map(|round| heat(count(method, round))).collect()))
        .collect();
    let columns: Vec<String> = (1..=last).map(|round| format!("Round {round}")).collect();
    let (name, description) = (
        format!("grid-{id}"),
        "Bouts by how and in which round they ended; the numbers are in the table below.",
    );
    let caption = Caption { id: &name, title: heading, description };
    let (svg, table) = shaded_grid(caption, "Method", columns, &rows, "none");
    Ok(section.figure(Figure::new(svg, format!("{} bouts.", endings["bouts"]))).table(table))
}
