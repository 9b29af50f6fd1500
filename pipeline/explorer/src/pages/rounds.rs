//! `/fighters/{id}/rounds`: round by round, how bouts end, and splits.

mod splits;

use fdna_picture::{Caption, HeatCell, heat_map};

use crate::ask::{Api, Ask, Refusal, query};
use crate::model::{
    Definition, Dna, Endings, FinishProfile, MetricDefinitions, Round, RoundProfile, RoundSide, Splits,
};
use crate::page::{Cell, Figure, Form, Page, Section, Table};
use crate::pages::fighter::links;
use crate::shown::{number, sentence, trimmed, words};

/// A number of one side of a round, and its name and decimals.
struct Measure {
    label: &'static str,
    decimals: usize,
    scale: f64,
    of: fn(&RoundSide) -> Option<f64>,
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

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let asked = query(&[("as_of", ask.get("as_of"))]);
    let path = |what: &str| format!("/v1/mma/fighters/{}/{what}{asked}", ask.id());
    let rounds: RoundProfile = api.data(&path("round-profile")).await?;
    let finishes: FinishProfile = api.data(&path("finish-profile")).await?;
    let split: Splits = api.data(&path("splits")).await?;
    let dna: Dna = api.data(&path("dna")).await?;
    let definitions = api.definitions().await?;
    let all = grid("all", "All bouts that reached the round", &rounds.rounds);
    let same = grid(
        "same",
        &format!("The same {} bouts, whose rounds 1 and 3 were both full", rounds.comparable.bouts),
        &rounds.comparable.rounds,
    );
    let endings = ending_grid("wins", "Wins by method and round", &finishes.wins);
    let losses = ending_grid("losses", "Losses by method and round", &finishes.losses);
    let notes = |section: Section, notes: &[String]| {
        notes.iter().map(|note| sentence(note)).fold(section, Section::line)
    };
    let mut sections = vec![
        notes(all, &rounds.notes),
        same,
        where_it_goes(&definitions, &dna),
        notes(endings, &finishes.notes),
        losses,
    ];
    sections.extend(splits::sections(&definitions, &split));
    Ok(Page {
        title: format!("{}: rounds and splits", rounds.fighter.name),
        place: "/fighters",
        links: links(&rounds.fighter.slug_id, ask.get("as_of"), "/rounds"),
        forms: vec![Form::of_day(
            format!("/fighters/{}/rounds", rounds.fighter.slug_id),
            ask.or("as_of", ""),
        )],
        sections,
        ..Page::default()
    })
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
            let values: Vec<Option<f64>> = reached.iter().map(|round| (measure.of)(side(round))).collect();
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
    counts.extend(reached.iter().map(|round| Cell::count(round.bouts_reached)));
    let mut minutes = vec![Cell::text("Minutes")];
    minutes.extend(reached.iter().map(|round| Cell::number(round.minutes, trimmed(round.minutes))));
    table.extend([counts, minutes]);
    let columns: Vec<String> = reached.iter().map(|round| format!("Round {}", round.round)).collect();
    let (id, description) =
        (format!("heat-{id}"), "Darker is more, within a row; the numbers are in the table below.");
    let svg = heat_map(Caption { id: &id, title: heading, description }, &columns, &rows);
    let head: Vec<String> = std::iter::once("Measure".to_owned())
        .chain(columns.iter().map(|column| format!("#{column}")))
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    section
        .figure(Figure::new(svg, "Darker is more, within a row. Hatched: not recorded."))
        .table(Table::new(heading, &head, table))
}

/// Targets beside positions: sources count each by itself, so that there is no grid of both.
fn where_it_goes(definitions: &MetricDefinitions, dna: &Dna) -> Section {
    let rows: [(&str, [&str; 3]); 4] = [
        ("Target share", ["head_share", "body_share", "leg_share"]),
        ("Target accuracy", ["head_accuracy", "body_accuracy", "leg_accuracy"]),
        ("Position share", ["distance_share", "clinch_share", "ground_share"]),
        (
            "Position, landed",
            ["distance_landed_per_neutral_min", "clinch_landed_per_min", "ground_landed_per_min"],
        ),
    ];
    let find = |name: &str| -> Option<(&Definition, Option<f64>)> {
        let metric = dna.metrics.iter().find(|metric| metric.metric == name)?;
        Some((definitions.find(name)?, metric.value))
    };
    let cell = |name: &&str| -> Option<HeatCell> {
        let (definition, value) = find(name)?;
        let value = value?;
        let shade = if definition.unit == "share" { value } else { value / 5.0 };
        Some(HeatCell { shade, text: number(definition, value) })
    };
    let grid: Vec<(String, Vec<Option<HeatCell>>)> =
        rows.iter().map(|(label, names)| ((*label).to_owned(), names.iter().map(cell).collect())).collect();
    let columns = ["head | distance", "body | clinch", "leg | ground"].map(str::to_owned);
    let caption = Caption {
        id: "where",
        title: "Targets and positions",
        description: "Shares and accuracies in percent, rates per minute; the numbers are in the table below.",
    };
    let svg = heat_map(caption, &columns, &grid);
    let listed = rows.iter().flat_map(|(_, names)| names).filter_map(|name| find(name));
    let table = listed.map(|(definition, value)| {
        vec![
            Cell::link(
                format!("{}{}", definition.label, crate::pages::fighter::in_unit(definition)),
                format!("/metrics/{}", definition.metric),
            ),
            crate::shown::cell(definition, value, "no value"),
        ]
    });
    Section::new("where", "Targets and positions")
        .line("Sources count targets and positions each by itself: how many strikes to the body were thrown in the clinch is not recorded.")
        .figure(Figure::new(svg, "Hatched: no value."))
        .table(Table::new("Targets and positions", &["Metric", "#Value"], table.collect()))
}

fn ending_grid(id: &str, heading: &str, endings: &Endings) -> Section {
    let section = Section::new(id, heading);
    if endings.by_method_and_round.is_empty() {
        return section.line("None among the eligible bouts.");
    }
    let last = endings.by_method_and_round.iter().map(|one| one.round).max().unwrap_or(1);
    let mut methods: Vec<&str> = Vec::new();
    for one in &endings.by_method_and_round {
        if !methods.contains(&one.method.as_str()) {
            methods.push(&one.method);
        }
    }
    let count = |method: &str, round: i64| {
        let found = endings.by_method_and_round.iter().find(|one| one.method == method && one.round == round);
        found.map_or(0, |one| one.bouts)
    };
    let most = endings.by_method_and_round.iter().map(|one| one.bouts).max().unwrap_or(1).max(1);
    let share =
        |bouts: i64| i32::try_from(bouts).map_or(1.0, f64::from) / i32::try_from(most).map_or(1.0, f64::from);
    let cell = |bouts: i64| Some(HeatCell { shade: share(bouts), text: bouts.to_string() });
    let rows: Vec<(String, Vec<Option<HeatCell>>)> = methods
        .iter()
        .map(|method| (words(method), (1..=last).map(|round| cell(count(method, round))).collect()))
        .collect();
    let columns: Vec<String> = (1..=last).map(|round| format!("Round {round}")).collect();
    let (name, description) = (
        format!("grid-{id}"),
        "Bouts by how and in which round they ended; the numbers are in the table below.",
    );
    let svg = heat_map(Caption { id: &name, title: heading, description }, &columns, &rows);
    let table = methods.iter().map(|method| {
        std::iter::once(Cell::text(words(method)))
            .chain((1..=last).map(|round| Cell::count(count(method, round))))
            .collect()
    });
    let head: Vec<String> = std::iter::once("Method".to_owned())
        .chain(columns.iter().map(|column| format!("#{column}")))
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    section.figure(Figure::new(svg, format!("{} bouts.", endings.bouts))).table(Table::new(
        heading,
        &head,
        table.collect(),
    ))
}
