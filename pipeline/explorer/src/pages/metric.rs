//! `/metrics/{name}`: formula, the pool, what the metric is worth.

use fdna_api::WEIGHT_CLASSES;
use fdna_picture::{Caption, StripMark, strip};

use crate::ask::{Api, Ask, Refusal, query};
use crate::model::{Definition, Match};
use crate::page::{Cell, Field, Figure, Form, Link, Page, Section, Table};
use crate::pages::fighter::{formula, in_unit};
use crate::shown::{capital, cell, class, domain, number, plain, scale_lines, words};

/// Fighters of a pool that are drawn.
const POOL: &str = "250";

/// Whose pool is shown unless another is asked for.
const CLASS: &str = "LIGHTWEIGHT";

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let definitions = api.definitions().await?;
    let name = ask.id();
    let definition = definitions
        .find(name)
        .ok_or_else(|| Refusal::not_found(format!("no metric is named `{name}`; /metrics lists all")))?;
    let mut first = Section::new("what", "Formula").line(formula(definition));
    first = first.line(format!(
        "Needs a sample of at least {} ({}).",
        definition.min_sample.value, definition.min_sample.unit
    ));
    first = definition.caveats.iter().fold(first, Section::line);
    first.links = vec![Link::new("Leaders", format!("/leaders?metric={name}"))];
    let sections = vec![first, worth(definition), pool(api, ask, definition).await?, history(definition)];
    let mut classes = vec![];
    classes.extend(WEIGHT_CLASSES.iter().map(|code| ((*code).to_owned(), class(code))));
    Ok(Page {
        title: definition.label.clone(),
        place: "/metrics",
        lead: vec![format!("{}{}.", capital(&definition.meaning), in_unit(definition))],
        facts: vec![
            ("Name".to_owned(), Cell::text(&definition.metric)),
            (
                "Family".to_owned(),
                Cell::link(words(&definition.family), format!("/metrics#{}", definition.family)),
            ),
            (
                "Better".to_owned(),
                Cell::text(match definition.direction.as_str() {
                    "neutral" => "neither end",
                    other => other,
                }),
            ),
            ("Estimator".to_owned(), Cell::text(estimator(&definition.estimator))),
        ],
        forms: vec![Form {
            action: format!("/metrics/{name}"),
            submit: "Show",
            fields: vec![
                Field::select("weight_class", "Pool", ask.or("weight_class", CLASS), classes),
                Field::input("date", "as_of", "As of", ask.or("as_of", "")),
            ],
            ..Form::default()
        }],
        sections,
        ..Page::default()
    })
}

fn estimator(code: &str) -> &str {
    match code {
        "GP" => "rate, gamma",
        "BB" => "proportion, beta",
        "DM" => "shares that sum to one",
        "NN" => "difference or bounded share, normal",
        "CT" => "fact, not shrunk",
        "EL" => "rating",
        other => other,
    }
}

fn worth(definition: &Definition) -> Section {
    let validity = &definition.validity;
    let years = validity.test_years.as_ref().map_or_else(
        || Cell::missing("not measured"),
        |years| Cell::text(format!("{} to {}", years.first, years.last)),
    );
    let fact = |name: &str, cell: Cell| vec![Cell::text(name), cell];
    let mut rows = vec![
        fact("Validity class, which caps the confidence", Cell::of(validity.class.as_deref())),
        fact("Out-of-time R² over the class mean", plain(validity.out_of_time_r2, 4)),
        fact("Reliability", plain(validity.reliability, 3)),
        fact("Share of next bouts within the 90 % band", plain(validity.interval_coverage, 3)),
        fact(
            "Fighter-bouts predicted",
            validity.n.map_or_else(|| Cell::missing("not measured"), Cell::count),
        ),
        fact("Years", years),
    ];
    if let Some(prior) = &definition.prior {
        rows.push(fact("Prior strength in bouts", plain(Some(prior.strength_bouts), 1)));
        rows.push(fact("Variance between fighters", plain(prior.variance, 5)));
    }
    if let Some(gate) = &definition.gate {
        rows.push(fact("Gate: smallest |z| that is stated", plain(Some(gate.min_z), 1)));
        rows.push(fact("Share in which it held", plain(Some(gate.hold_share), 4)));
        rows.push(fact(
            "Bouts of that",
            Cell::text(format!("{}, {} to {}", gate.bouts, gate.years.first, gate.years.last)),
        ));
    }
    Section::new("worth", "What it is worth").table(Table::new(
        "Validity and reliability",
        &["Measure", "#Number"],
        rows,
    ))
}

async fn pool(api: &Api, ask: &Ask, definition: &Definition) -> Result<Section, Refusal> {
    let of = ask.or("weight_class", CLASS);
    let pairs = [
        ("metric", Some(definition.metric.as_str())),
        ("weight_class", Some(of)),
        ("as_of", ask.get("as_of")),
        ("limit", Some(POOL)),
    ];
    let answer = api.get::<Vec<Match>>(&format!("/v1/mma/dna/query{}", query(&pairs))).await?;
    let known: Vec<(&Match, f64)> =
        answer.data.iter().filter_map(|one| Some((one, one.metric.value?))).collect();
    let heading = format!("The pool: active fighters, {}", class(of));
    let section = Section::new("pool", heading.clone()).wide();
    if known.is_empty() {
        return Ok(section.line("Nobody in it has a value."));
    }
    let domain = domain(definition, known.iter().map(|(_, value)| *value));
    let marks: Vec<StripMark> = known
        .iter()
        .enumerate()
        .map(|(place, (one, value))| StripMark {
            value: *value,
            text: format!("{}: {}", one.fighter.name, number(definition, *value)),
            is_named: place == 0,
        })
        .collect();
    let caption = Caption {
        id: "pool-strip",
        title: &heading,
        description: "A line for each fighter, the best longer; the numbers are in the table below.",
    };
    let svg = strip(caption, &marks, domain, &scale_lines(definition, domain, 6));
    let row = |(one, value): &(&Match, f64)| {
        vec![
            Cell::link(&one.fighter.name, one.fighter.href()),
            cell(definition, Some(*value), ""),
            Cell::count(one.metric.sample.bouts),
            Cell::text(&one.metric.confidence),
        ]
    };
    let head = ["Fighter", "#Value", "#Bouts", "Confidence"];
    let told = format!(
        "{} of {} fighters have a value of low confidence or better.",
        known.len(),
        answer.meta.population.unwrap_or_default()
    );
    Ok(section
        .line(told)
        .figure(Figure::new(svg, "The long line is the first row of the table."))
        .table(Table::new(heading, &head, known.iter().map(row).collect())))
}

fn history(definition: &Definition) -> Section {
    let rows =
        definition.history.iter().map(|change| vec![Cell::count(change.version), Cell::text(&change.note)]);
    Section::new("history", "History of the definition").table(Table::new(
        "Changes",
        &["#Version", "What changed"],
        rows.collect(),
    ))
}
