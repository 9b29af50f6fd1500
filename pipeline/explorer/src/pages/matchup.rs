//! `/matchups/{a}/{b}`: two fighters beside each other. Differences, never a pick.

use fdna_picture::{Caption, Dumbbell, dumbbells};

use crate::ask::{Api, Ask, Refusal, query};
use crate::model::{
    Definition, Matchup, MatchupGate, MatchupMetric, MatchupValue, MetricDefinitions, Pairing, Physical,
};
use crate::page::{Cell, Figure, Form, Link, Page, Section, Table};
use crate::shown::{capital, cell, class, domain, number, plain, quantity, sentence, words};

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let (a, b) = (ask.id(), ask.ids.get(1).map_or("", String::as_str));
    let asked = query(&[("as_of", ask.get("as_of"))]);
    let matchup: Matchup = api.data(&format!("/v1/mma/matchups/{a}/{b}/dna{asked}")).await?;
    let definitions = api.definitions().await?;
    let (first, second) = (&matchup.a.fighter, &matchup.b.fighter);
    let mut sections = vec![tape(&matchup), stated(&definitions, &matchup), pairings(&definitions, &matchup)];
    sections.extend(
        definitions.families.iter().filter_map(|family| of_family(&definitions, &matchup, &family.family)),
    );
    sections.extend([withheld(&definitions, &matchup), common(&matchup), meetings(&matchup)]);
    Ok(Page {
        title: format!("{} and {}", first.name, second.name),
        place: "/fighters",
        lead: matchup.notes.iter().take(3).map(|note| sentence(note)).collect(),
        links: vec![Link::new(&first.name, first.href()), Link::new(&second.name, second.href())],
        facts: vec![("As of".to_owned(), Cell::text(&matchup.as_of))],
        forms: vec![Form::of_day(
            format!("/matchups/{}/{}", first.slug_id, second.slug_id),
            ask.or("as_of", ""),
        )],
        sections,
        ..Page::default()
    })
}

fn tape(matchup: &Matchup) -> Section {
    let names = [
        ("reach_in", "Reach, inches"),
        ("height_in", "Height, inches"),
        ("age_years", "Age, years"),
        ("stance", "Stance"),
    ];
    let text = |value: &Option<serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => Cell::text(class(text)),
        Some(serde_json::Value::Number(number)) => match number.as_f64() {
            Some(value) if number.is_f64() => Cell::number(value, format!("{value:.1}")),
            _ => Cell::text(number.to_string()),
        },
        _ => Cell::missing("not stated"),
    };
    let row = |(name, label): (&str, &str)| -> Option<Vec<Cell>> {
        let pair: &Physical = matchup.physical.get(name)?;
        let difference = match (&pair.difference, &pair.reason) {
            (None, Some(reason)) => Cell::missing(words(reason)),
            (difference, _) => text(difference),
        };
        Some(vec![Cell::text(label), text(&pair.a), text(&pair.b), difference])
    };
    let head = [
        "Of",
        &format!("#{}", matchup.a.fighter.name),
        &format!("#{}", matchup.b.fighter.name),
        "#Difference",
    ];
    Section::new("tape", "Tale of the tape").table(Table::new(
        "Bodies",
        &head,
        names.into_iter().filter_map(row).collect(),
    ))
}

fn gate_text(gate: &MatchupGate) -> String {
    format!(
        "|z| ≥ {:.1} held in {:.1} % of {} bouts, {} to {}",
        gate.min_z,
        gate.hold_share * 100.0,
        gate.n,
        gate.first_year,
        gate.last_year
    )
}

fn label(definitions: &MetricDefinitions, metric: &str) -> Cell {
    let text = definitions.find(metric).map_or_else(|| words(metric), |definition| definition.label.clone());
    Cell::link(text, format!("/metrics/{metric}"))
}

fn stated(definitions: &MetricDefinitions, matchup: &Matchup) -> Section {
    let rows = matchup.insights.iter().map(|insight| {
        vec![
            label(definitions, &insight.metric),
            Cell::text(&insight.text),
            plain(insight.z, 2),
            Cell::text(gate_text(&insight.gate)),
        ]
    });
    let section = Section::new("stated", "Differences that passed every gate");
    match matchup.insights.is_empty() {
        true => section.line("None: no difference is clear enough to be stated."),
        false => section.table(Table::new(
            "What is stated",
            &["Metric", "In words", "#z", "Gate and how it held"],
            rows.collect(),
        )),
    }
}

fn pairings(definitions: &MetricDefinitions, matchup: &Matchup) -> Section {
    let name = |side: &str| if side == "a" { &matchup.a.fighter.name } else { &matchup.b.fighter.name };
    let rows: Vec<Dumbbell> = matchup
        .pairings
        .iter()
        .filter_map(|pairing| pair(definitions, pairing, name(&pairing.offence_of)))
        .collect();
    let caption = Caption {
        id: "pairings",
        title: "Offence against defence",
        description: "What one lands beside what the other allows; the numbers are in the table below.",
    };
    let svg = dumbbells(caption, ("lands", "the other allows, or stops"), &rows);
    let table = matchup.pairings.iter().filter_map(|pairing| {
        let offence = definitions.find(&pairing.offence_metric)?;
        let why = pairing.reason.as_deref().map_or_else(|| "none".to_owned(), words);
        Some(vec![
            Cell::text(name(&pairing.offence_of)),
            label(definitions, &pairing.offence_metric),
            cell(offence, pairing.offence, "no value"),
            label(definitions, &pairing.defence_metric),
            cell(offence, pairing.defence, "no value"),
            cell(offence, pairing.class_mean, "none"),
            cell(offence, pairing.expected, &why),
        ])
    });
    let head = [
        "Offence of",
        "Offence",
        "#Value",
        "Defence of the other",
        "#Value",
        "#Class mean",
        "#Together lead to expect",
    ];
    Section::new("pairings", "Offence against defence")
        .wide()
        .figure(Figure::new(svg, "Dot: offence; square: what the other's defence allows or stops, on the same scale. No forecast of a result."))
        .table(Table::new("Offence against defence, both ways", &head, table.collect()))
}

fn pair(definitions: &MetricDefinitions, pairing: &Pairing, name: &str) -> Option<Dumbbell> {
    let definition = definitions.find(&pairing.offence_metric)?;
    let text =
        |value: Option<f64>| value.map_or_else(|| "no value".to_owned(), |value| number(definition, value));
    Some(Dumbbell {
        label: format!("{name}: {}", definition.label),
        text: format!("{} | {}", text(pairing.offence), text(pairing.defence)),
        a: pairing.offence,
        b: pairing.defence,
        interval_a: None,
        interval_b: None,
        domain: domain(definition, [pairing.offence, pairing.defence].into_iter().flatten()),
    })
}

fn of_family(definitions: &MetricDefinitions, matchup: &Matchup, family: &str) -> Option<Section> {
    let of: Vec<(&Definition, &MatchupMetric)> = matchup
        .metrics
        .iter()
        .filter(|metric| metric.family == family)
        .filter_map(|metric| Some((definitions.find(&metric.metric)?, metric)))
        .collect();
    if of.is_empty() {
        return None;
    }
    let name = capital(&words(family));
    let (a, b) = (&matchup.a.fighter.name, &matchup.b.fighter.name);
    let rows: Vec<Dumbbell> = of.iter().map(|(definition, metric)| both(definition, metric)).collect();
    let id = format!("m-{family}");
    let svg = dumbbells(
        Caption {
            id: &id,
            title: &name,
            description: "Both values on one scale; the numbers are in the table below.",
        },
        (a, b),
        &rows,
    );
    let table = of.iter().map(|(definition, metric)| {
        let edge = match metric.edge.as_str() {
            "a" => Cell::text(a),
            "b" => Cell::text(b),
            _ => Cell::missing(
                metric
                    .edge_reason
                    .as_deref()
                    .map_or_else(|| "none".to_owned(), |why| format!("none: {}", words(why))),
            ),
        };
        vec![
            label(definitions, &metric.metric),
            side(definition, &metric.a),
            Cell::text(told(&metric.a)),
            side(definition, &metric.b),
            Cell::text(told(&metric.b)),
            plain(metric.z, 2),
            edge,
            metric
                .gate
                .as_ref()
                .map_or_else(|| Cell::missing("not measured"), |gate| Cell::text(gate_text(gate))),
        ]
    });
    let head = [
        "Metric",
        &format!("#{a}"),
        "Sample",
        &format!("#{b}"),
        "Sample",
        "#z",
        "Higher, beyond the gate",
        "Gate and how it held",
    ];
    Some(
        Section::new(format!("family-{family}"), name.clone())
            .wide()
            .figure(Figure::new(svg, ""))
            .table(Table::new(name, &head, table.collect())),
    )
}

fn told(value: &MatchupValue) -> String {
    format!("{} bouts, {}", value.bouts, value.confidence)
}

fn side(definition: &Definition, value: &MatchupValue) -> Cell {
    match value.value {
        Some(number) => Cell::number(number, quantity(definition, number)),
        None => Cell::missing(words(&value.status)),
    }
}

fn both(definition: &Definition, metric: &MatchupMetric) -> Dumbbell {
    let text = |value: &MatchupValue| {
        value.value.map_or_else(|| "no value".to_owned(), |value| number(definition, value))
    };
    Dumbbell {
        label: definition.label.clone(),
        text: format!("{} | {}", text(&metric.a), text(&metric.b)),
        a: metric.a.value,
        b: metric.b.value,
        interval_a: None,
        interval_b: None,
        domain: domain(definition, [metric.a.value, metric.b.value].into_iter().flatten()),
    }
}

fn withheld(definitions: &MetricDefinitions, matchup: &Matchup) -> Section {
    let rows = matchup.withheld.iter().map(|one| {
        vec![
            label(definitions, &one.metric),
            Cell::text(words(&one.failed)),
            plain(one.z, 2),
            Cell::text(&one.confidence_a),
            Cell::text(&one.confidence_b),
            one.validity_class.as_deref().map_or_else(|| Cell::missing("none"), Cell::text),
        ]
    });
    let head = ["Metric", "Gate that failed", "#z", "Confidence of the first", "Of the second", "Validity"];
    Section::new("withheld", "What is withheld, and why").table(Table::new("Withheld", &head, rows.collect()))
}

fn common(matchup: &Matchup) -> Section {
    let bouts = |bouts: &[crate::model::CommonBout]| {
        let told = bouts.iter().map(|bout| {
            let outcome = bout.outcome.as_deref().map_or_else(|| "not known".to_owned(), words);
            format!(
                "{}: {outcome}{}",
                bout.date,
                bout.method.as_deref().map_or_else(String::new, |method| format!(" ({})", words(method)))
            )
        });
        Cell::text(told.collect::<Vec<_>>().join("; "))
    };
    let rows = matchup
        .common_opponents
        .iter()
        .map(|one| vec![Cell::link(&one.opponent.name, one.opponent.href()), bouts(&one.a), bouts(&one.b)]);
    let head = ["Opponent", matchup.a.fighter.name.as_str(), matchup.b.fighter.name.as_str()];
    Section::new("common", "Common opponents").table(Table::new("Whom both met", &head, rows.collect()))
}

fn meetings(matchup: &Matchup) -> Section {
    let rows = matchup.previous_meetings.iter().map(|one| {
        let how = [
            one.method.as_deref().map(words),
            one.round.map(|round| format!("round {round}")),
            one.time.clone(),
        ];
        let how: Vec<String> = how.into_iter().flatten().collect();
        vec![
            Cell::link(&one.date, format!("/bouts/{}", one.bout_id)),
            Cell::text(&one.event_name),
            one.outcome_a
                .as_deref()
                .map_or_else(|| Cell::missing("not known"), |outcome| Cell::text(words(outcome))),
            if how.is_empty() { Cell::missing("not known") } else { Cell::text(how.join(", ")) },
        ]
    });
    let head = ["Date", "Event", &format!("For {}", matchup.a.fighter.name), "How"];
    Section::new("meetings", "Earlier meetings").table(Table::new("Bouts of the two", &head, rows.collect()))
}
