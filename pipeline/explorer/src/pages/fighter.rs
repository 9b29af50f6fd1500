//! `/fighters/{id}`: Fight DNA as of a day, family by family.

mod why;

pub(crate) use why::formula;

use fdna_picture::{Caption, MetricRow, percentile_bars};

use crate::ask::{Api, Ask, Refusal, address, query};
use crate::model::{Definition, Dna, FighterDetail, HistoryItem, Metric, MetricDefinitions};
use crate::page::{Cell, Figure, Form, Link, Page, Portrait, Section, Table};
use crate::shown::{
    cell, class, confidence_reasons, ending, mark, missing, percentile, quantity, sample, words,
};

const LEGEND: &str = "Bar: percentile among active fighters of the class (100 is best; a neutral metric has its plain rank). \
    Below it on a scale of its own: dot, the shrunk value; thick line, its 90 % interval; short tick, the raw ratio; dotted, the \
    class mean. Hatched: no percentile, with the reason.";

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let id = ask.id();
    let detail: FighterDetail =
        api.data(&format!("/v1/mma/fighters/{id}?include=ranking,next,history&history_limit=250")).await?;
    let definitions = api.definitions().await?;
    let asked = query(&[("as_of", ask.get("as_of"))]);
    let dna = api.data::<Dna>(&format!("/v1/mma/fighters/{id}/dna{asked}")).await;
    let mut sections = Vec::new();
    let mut facts = facts(&detail);
    match &dna {
        Ok(dna) => {
            facts.extend(of_version(dna));
            if let Some(name) = ask.get("why") {
                sections.push(why::section(api, ask, &definitions, &detail, name).await?);
            }
            sections.extend(
                definitions
                    .families
                    .iter()
                    .filter_map(|family| of_family(ask, &definitions, dna, &family.family, &family.meaning)),
            );
        }
        // A fighter without bouts that count is a fighter: why there is no DNA is said.
        Err(refusal) if refusal.status == 404 || refusal.status == 503 => {
            sections.push(Section::new("dna", "No Fight DNA").line(&refusal.message));
        }
        Err(refusal) => return Err(refusal.clone()),
    }
    sections.push(bouts(&detail.history));
    let lead = dna.ok().map(|_| LEGEND.to_owned()).into_iter().collect();
    Ok(Page {
        title: title(&detail),
        place: "/fighters",
        lead,
        links: links(&detail.slug_id, ask.get("as_of"), ""),
        portrait: Some(portrait(&detail)),
        facts,
        forms: vec![as_of_form(&detail, ask)],
        sections,
    })
}

fn title(detail: &FighterDetail) -> String {
    match &detail.fighter.nickname {
        Some(nickname) => format!("{} “{nickname}”", detail.fighter.name),
        None => detail.fighter.name.clone(),
    }
}

/// The pages of one fighter, on the same day.
pub(crate) fn links(slug: &str, as_of: Option<&str>, here: &str) -> Vec<Link> {
    let pages =
        [("Fight DNA", "", as_of), ("Over time", "/form", None), ("Rounds and splits", "/rounds", as_of)];
    let link = |(text, page, as_of): (&str, &str, Option<&str>)| Link {
        is_here: page == here,
        ..Link::new(text, address(&format!("/fighters/{slug}{page}"), &[("as_of", as_of)]))
    };
    pages.map(link).to_vec()
}

fn portrait(detail: &FighterDetail) -> Portrait {
    let initials = detail.fighter.name.split_whitespace().filter_map(|word| word.chars().next());
    let monogram = initials.take(2).collect::<String>().to_uppercase();
    let image = detail.fighter.primary_image.as_ref();
    let credit = image.and_then(|image| {
        let href = image.source_url.as_deref().or(image.image_url.as_deref())?;
        // What is no web address is not led to.
        let is_web = href.starts_with("https://") || href.starts_with("http://");
        is_web.then(|| Link::new(image.attribution_text.as_deref().unwrap_or("licensed image"), href))
    });
    Portrait { monogram, credit }
}

fn as_of_form(detail: &FighterDetail, ask: &Ask) -> Form {
    let days = detail.history.iter().rev().filter_map(|item| {
        crate::shown::days(&item.event.event_date).map(|_| item.event.event_date.as_str())
    });
    Form {
        dates: days.collect::<Vec<_>>().join(","),
        ..Form::of_day(format!("/fighters/{}", detail.slug_id), ask.or("as_of", ""))
    }
}

fn facts(detail: &FighterDetail) -> Vec<(String, Cell)> {
    let fighter = &detail.fighter;
    let record = &detail.record_counted;
    let stated = match (fighter.record_w, fighter.record_l, fighter.record_d) {
        (Some(w), Some(l), Some(d)) => Cell::text(format!(
            "{w}-{l}-{d} ({}, {})",
            fighter.record_source.as_deref().unwrap_or("source not named"),
            fighter.record_date.as_deref().unwrap_or("no day stated")
        )),
        _ => Cell::missing("no source states it"),
    };
    let counted = format!(
        "{}-{}-{}, {} no contests, {} unknown, in the {} bouts held",
        record.wins, record.losses, record.draws, record.no_contests, record.unknown, record.bouts
    );
    let inches = |value: Option<i64>| {
        value.map_or_else(|| Cell::missing("not stated"), |value| Cell::text(format!("{value} in")))
    };
    let mut facts = vec![
        ("Record as stated".to_owned(), stated),
        ("Record counted".to_owned(), Cell::text(counted)),
        ("Born".to_owned(), Cell::of(fighter.dob.as_deref())),
        ("Height".to_owned(), inches(fighter.height_in)),
        ("Reach".to_owned(), inches(fighter.reach_in)),
        ("Stance".to_owned(), Cell::of(fighter.stance.as_deref().map(class))),
    ];
    if let Some(ranking) = &detail.ranking {
        let place = |position: &crate::model::Position| match position.is_champion {
            true => format!("{}: champion", position.label),
            false => format!("{}: {}", position.label, position.rank),
        };
        let places: Vec<String> = ranking.positions.iter().map(place).collect();
        let text = if places.is_empty() { "not ranked".to_owned() } else { places.join(", ") };
        facts.push((
            "Ranking".to_owned(),
            Cell::text(format!("{text} ({}, {})", ranking.source, ranking.snapshot_date)),
        ));
    }
    if let Some(next) = &detail.next_bout {
        let text = format!("{} on {}, {}", next.opponent.name, next.event.event_date, next.event.name);
        facts.push(("Next bout".to_owned(), Cell::link(text, format!("/bouts/{}", next.bout.id))));
    }
    facts
}

fn of_version(dna: &Dna) -> Vec<(String, Cell)> {
    let until = dna.valid_to.as_deref().unwrap_or("the next bout");
    let age = dna.context.age_years.map_or_else(|| Cell::missing("not stated"), Cell::count);
    vec![
        ("DNA as of".to_owned(), Cell::text(&dna.as_of)),
        (
            "Version".to_owned(),
            Cell::text(format!("{}, holds from {} to {until}", dna.version, dna.valid_from)),
        ),
        ("Class".to_owned(), Cell::of(dna.weight_class.as_deref().map(class))),
        ("Eligible bouts".to_owned(), Cell::count(dna.eligible_bouts)),
        ("Age on that day".to_owned(), age),
        (
            "Days since the last eligible bout".to_owned(),
            Cell::count(dna.context.days_since_last_eligible_bout),
        ),
    ]
}

fn of_family(
    ask: &Ask,
    definitions: &MetricDefinitions,
    dna: &Dna,
    family: &str,
    meaning: &str,
) -> Option<Section> {
    let metrics: Vec<(&Definition, &Metric)> = dna
        .metrics
        .iter()
        .filter(|metric| metric.family == family)
        .filter_map(|metric| Some((definitions.find(&metric.metric)?, metric)))
        .collect();
    if metrics.is_empty() {
        return None;
    }
    let name = words(family);
    let rows: Vec<MetricRow> = metrics.iter().map(|(definition, metric)| bar(definition, metric)).collect();
    let title = format!("{}: {name}", dna.fighter.name);
    let description =
        format!("Percentiles and values as of {}; every number is in the table below.", dna.as_of);
    let svg = percentile_bars(Caption { id: family, title: &title, description: &description }, &rows);
    let head = [
        "Metric",
        "#Value",
        "#Raw",
        "#90 % interval from",
        "#to",
        "#Percentile",
        "#Weight",
        "#Bouts",
        "#Sample",
        "Confidence",
        "Why",
    ];
    let rows = metrics
        .iter()
        .map(|(definition, metric)| row(ask, &dna.fighter.slug_id, definition, metric))
        .collect();
    let table = Table::new(format!("{} as of {}", crate::shown::capital(&name), dna.as_of), &head, rows);
    Some(
        Section::new(format!("family-{family}"), crate::shown::capital(&name))
            .wide()
            .line(meaning)
            .figure(Figure::new(svg, ""))
            .table(table),
    )
}

fn bar(definition: &Definition, metric: &Metric) -> MetricRow {
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
        label: definition.label.clone(),
        text,
        percentile: metric.percentile.as_ref().map(|percentile| percentile.value),
        value: mark(definition, metric),
        missing: missing(definition, metric),
    }
}

fn row(ask: &Ask, slug: &str, definition: &Definition, metric: &Metric) -> Vec<Cell> {
    let why = missing(definition, metric).unwrap_or_else(|| "none".to_owned());
    let none = if metric.value.is_some() { "not shrunk" } else { "none" };
    let why_not = confidence_reasons(metric);
    let confidence = if why_not.is_empty() {
        metric.confidence.clone()
    } else {
        format!("{}: {why_not}", metric.confidence)
    };
    let here =
        address(&format!("/fighters/{slug}"), &[("as_of", ask.get("as_of")), ("why", Some(&metric.metric))]);
    vec![
        Cell::link(
            format!("{}{}", definition.label, in_unit(definition)),
            format!("/metrics/{}", metric.metric),
        ),
        cell(definition, metric.value, &why),
        cell(definition, metric.raw_value, "no ratio"),
        cell(definition, metric.interval.as_ref().map(|interval| interval.low), none),
        cell(definition, metric.interval.as_ref().map(|interval| interval.high), none),
        percentile(metric),
        metric.shrinkage.as_ref().map_or_else(
            || Cell::missing(none),
            |shrinkage| Cell::number(shrinkage.weight, format!("{:.2}", shrinkage.weight)),
        ),
        Cell::count(metric.sample.bouts),
        Cell::number(metric.sample.exposure, sample(metric.sample.exposure, &metric.sample.exposure_unit)),
        Cell::text(confidence),
        Cell::link("why this number", format!("{here}#why")),
    ]
}

/// A metric's unit behind its name.
pub(crate) fn in_unit(definition: &Definition) -> String {
    match definition.display_unit.as_str() {
        "" => String::new(),
        unit => format!(", {unit}"),
    }
}

fn bouts(history: &[HistoryItem]) -> Section {
    let row = |item: &HistoryItem| {
        vec![
            Cell::link(&item.event.event_date, format!("/bouts/{}", item.bout.id)),
            Cell::link(&item.opponent.name, item.opponent.href()),
            item.outcome
                .as_deref()
                .map_or_else(|| Cell::missing("not known"), |outcome| Cell::text(words(outcome))),
            item.result
                .as_ref()
                .map_or_else(|| Cell::missing("not known"), |result| Cell::text(ending(result))),
            Cell::of(item.bout.weight_class.as_deref().map(class)),
            Cell::link(&item.event.name, format!("/events/{}", item.event.id)),
        ]
    };
    let head = ["Date", "Opponent", "Result", "How", "Class", "Event"];
    let table = Table::new("Bouts that were fought, newest first", &head, history.iter().map(row).collect());
    Section::new("bouts", "Bouts").wide().table(table)
}
