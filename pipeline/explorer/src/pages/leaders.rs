//! `/leaders`: fighters by a metric, with their intervals.

use fdna_api::WEIGHT_CLASSES;
use fdna_picture::{Caption, Leader, caterpillar};

use crate::ask::{Api, Ask, Refusal, address, query};
use crate::model::{Definition, Interval, Match, MetricDefinitions};
use crate::page::{Cell, Field, Figure, Form, Link, Page, Section, Table};
use crate::shown::{cell, class, domain, number, percentile, sample, scale_lines, words};

/// Shown unless another is asked for.
const DEFAULT: &str = "sig_landed_per_min";

/// What the query takes beside the metric.
const FILTERS: [&str; 6] = ["weight_class", "active", "min_confidence", "min_bouts", "as_of", "sort"];

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let definitions = api.definitions().await?;
    let name = ask.or("metric", DEFAULT);
    let asked: Vec<(&str, Option<&str>)> =
        [("metric", Some(name)), ("limit", Some("30")), ("cursor", ask.get("cursor"))]
            .into_iter()
            .chain(FILTERS.map(|filter| (filter, ask.get(filter))))
            .collect();
    let answer = api.get::<Vec<Match>>(&format!("/v1/mma/dna/query{}", query(&asked))).await?;
    let definition =
        definitions.find(name).ok_or_else(|| Refusal::not_found(format!("no metric is named `{name}`")))?;
    let count = |number: Option<u64>| number.unwrap_or_default();
    let told = format!(
        "{} match of {} fighters; {} have too small a sample. As of {}.",
        count(answer.meta.matched),
        count(answer.meta.population),
        count(answer.meta.excluded_insufficient),
        answer.meta.as_of.as_deref().unwrap_or("the newest facts")
    );
    let mut section = Section::new("leaders", definition.label.clone()).wide().line(told);
    if !answer.data.is_empty() {
        section = section.figure(picture(definition, &answer.data));
    }
    section = section.table(table(definition, &answer.data, ask.get("as_of")));
    if let Some(cursor) = &answer.meta.next_cursor {
        let pairs: Vec<(&str, Option<&str>)> = [("metric", Some(name)), ("cursor", Some(cursor.as_str()))]
            .into_iter()
            .chain(FILTERS.map(|filter| (filter, ask.get(filter))))
            .collect();
        section.links.push(Link::new("Next page", address("/leaders", &pairs)));
    }
    section.links.push(Link::new("What the metric is", format!("/metrics/{name}")));
    Ok(Page {
        title: format!("Leaders: {}", definition.label),
        place: "/leaders",
        lead: vec![format!(
            "{}. Intervals that overlap do not say who is ahead.",
            crate::shown::capital(&definition.meaning)
        )],
        forms: vec![form(&definitions, ask, name)],
        sections: vec![section],
        ..Page::default()
    })
}

fn form(definitions: &MetricDefinitions, ask: &Ask, metric: &str) -> Form {
    let pair = |value: &str, text: &str| (value.to_owned(), text.to_owned());
    let mut classes = vec![pair("", "all")];
    classes.extend(WEIGHT_CLASSES.iter().map(|code| pair(code, &class(code))));
    let field = |name, label, options| Field::select(name, label, ask.or(name, ""), options);
    Form {
        action: "/leaders".to_owned(),
        submit: "Show",
        fields: vec![
            Field::select("metric", "Metric", metric, definitions.options()),
            field("weight_class", "Class", classes),
            field(
                "active",
                "Active",
                vec![pair("", "active on the day"), pair("false", "not active"), pair("all", "all")],
            ),
            field(
                "min_confidence",
                "Confidence",
                vec![
                    pair("", "low or better"),
                    pair("medium", "medium or better"),
                    pair("high", "high"),
                    pair("insufficient", "any"),
                ],
            ),
            Field::input("number", "min_bouts", "Bouts at least", ask.or("min_bouts", "")),
            field(
                "sort",
                "Order",
                vec![
                    pair("", "best first"),
                    pair("-value", "largest first"),
                    pair("value", "smallest first"),
                    pair("-interval_low", "by the interval's lower end"),
                    pair("-raw", "by the raw ratio"),
                ],
            ),
            Field::input("date", "as_of", "As of", ask.or("as_of", "")),
        ],
        ..Form::default()
    }
}

fn picture(definition: &Definition, found: &[Match]) -> Figure {
    let rows: Vec<Leader> = found
        .iter()
        .map(|one| Leader {
            label: one.fighter.name.clone(),
            text: one.metric.value.map_or_else(|| "no value".to_owned(), |value| number(definition, value)),
            value: one.metric.value,
            interval: one.metric.interval.as_ref().map(Interval::ends),
            raw: one.metric.raw_value.filter(|_| one.metric.shrinkage.is_some()),
        })
        .collect();
    let ends = rows
        .iter()
        .flat_map(|row| row.interval.into_iter().flat_map(|(low, high)| [low, high]).chain(row.value));
    let domain = domain(definition, ends);
    let title = format!("Leaders by {}", definition.label);
    let caption = Caption {
        id: "leaders-picture",
        title: &title,
        description: "A row a fighter with the 90 % interval; the numbers are in the table below.",
    };
    let svg = caterpillar(caption, &rows, domain, &scale_lines(definition, domain, 4));
    Figure::new(
        svg,
        "Dot: shrunk value; line: 90 % interval; tick: raw ratio, at the edge where it is beyond the scale.",
    )
}

fn table(definition: &Definition, found: &[Match], as_of: Option<&str>) -> Table {
    let row = |(place, one): (usize, &Match)| {
        let metric = &one.metric;
        let none = if metric.value.is_some() { "not shrunk" } else { "none" };
        let interval = metric.interval.as_ref();
        vec![
            Cell::text((place + 1).to_string()),
            Cell::link(&one.fighter.name, address(&one.fighter.href(), &[("as_of", as_of)])),
            Cell::of(one.weight_class.as_deref().map(class)),
            cell(definition, metric.value, &words(&metric.status)),
            cell(definition, interval.map(|interval| interval.low), none),
            cell(definition, interval.map(|interval| interval.high), none),
            cell(definition, metric.raw_value, "no ratio"),
            percentile(metric),
            Cell::count(metric.sample.bouts),
            Cell::number(
                metric.sample.exposure,
                sample(metric.sample.exposure, &metric.sample.exposure_unit),
            ),
            Cell::text(&metric.confidence),
        ]
    };
    let head = [
        "#Row",
        "Fighter",
        "Class",
        "#Value",
        "#90 % from",
        "#to",
        "#Raw",
        "#Percentile",
        "#Bouts",
        "#Sample",
        "Confidence",
    ];
    let caption = format!("{}{}", definition.label, crate::pages::fighter::in_unit(definition));
    Table::new(caption, &head, found.iter().enumerate().map(row).collect())
}
