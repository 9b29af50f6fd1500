//! `/fighters`: by name and activity; by class and confidence where those are asked.

use fdna_api::WEIGHT_CLASSES;

use crate::ask::{Api, Ask, Refusal, address, query};
use crate::model::{Fighter, Match, Meta};
use crate::page::{Cell, Field, Form, Link, Page, Section, Table};
use crate::shown::{class, words};

/// The metric whose confidence is asked for: the one that most bouts carry, of validity class A, so that no cap hides how much
/// there is to go by.
const METRIC: &str = "sig_landed_per_min";

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let by_class = ask.get("weight_class").is_some() || ask.get("confidence").is_some();
    let (section, meta) = if by_class { ranked(api, ask).await? } else { named(api, ask).await? };
    let mut section = section.wide();
    if let Some(cursor) = &meta.next_cursor {
        let kept = ["q", "active", "weight_class", "confidence"].map(|name| (name, ask.get(name)));
        let pairs: Vec<(&str, Option<&str>)> =
            kept.into_iter().chain([("cursor", Some(cursor.as_str()))]).collect();
        section.links.push(Link::new("Next page", address("/fighters", &pairs)));
    }
    Ok(Page {
        title: "Fighters".to_owned(),
        place: "/fighters",
        forms: vec![form(ask)],
        sections: vec![section],
        ..Page::default()
    })
}

fn form(ask: &Ask) -> Form {
    let pair = |value: &str, text: &str| (value.to_owned(), text.to_owned());
    let mut classes = vec![pair("", "any")];
    classes.extend(WEIGHT_CLASSES.iter().map(|code| pair(code, &class(code))));
    let confidences =
        [("", "any"), ("low", "low or better"), ("medium", "medium or better"), ("high", "high")];
    let field = |name, label, options| Field::select(name, label, ask.or(name, ""), options);
    Form {
        action: "/fighters".to_owned(),
        submit: "Show",
        fields: vec![
            Field::input("text", "q", "Name", ask.or("q", "")),
            field(
                "active",
                "Active",
                vec![pair("", "all"), pair("true", "active"), pair("false", "not active")],
            ),
            field("weight_class", "Class", classes),
            field(
                "confidence",
                "Confidence of strikes landed",
                confidences.map(|(value, text)| pair(value, text)).to_vec(),
            ),
        ],
        ..Form::default()
    }
}

async fn named(api: &Api, ask: &Ask) -> Result<(Section, Meta), Refusal> {
    let pairs = [
        ("q", ask.get("q")),
        ("active", ask.get("active")),
        ("cursor", ask.get("cursor")),
        ("limit", Some("60")),
    ];
    let answer = api.get::<Vec<Fighter>>(&format!("/v1/mma/fighters{}", query(&pairs))).await?;
    let row = |fighter: &Fighter| {
        vec![
            Cell::link(&fighter.name, format!("/fighters/{}", fighter.id)),
            fighter.nickname.as_deref().map_or_else(|| Cell::missing("none stated"), Cell::text),
            Cell::of(fighter.stance.as_deref().map(class)),
            Cell::of(fighter.dob.as_deref()),
            Cell::count(fighter.fight_history_count),
            Cell::text(if fighter.is_active { "active" } else { "not active" }),
        ]
    };
    let head = ["Name", "Nickname", "Stance", "Born", "#Bouts held", "Activity"];
    let table = Table::new("Fighters by name", &head, answer.data.iter().map(row).collect());
    let total = answer.meta.total.unwrap_or_default();
    Ok((Section::new("list", format!("{total} fighters")).table(table), answer.meta))
}

async fn ranked(api: &Api, ask: &Ask) -> Result<(Section, Meta), Refusal> {
    let pairs = [
        ("metric", Some(METRIC)),
        ("weight_class", ask.get("weight_class")),
        ("min_confidence", Some(ask.or("confidence", "insufficient"))),
        ("active", Some(ask.or("active", "all"))),
        ("cursor", ask.get("cursor")),
        ("limit", Some("60")),
    ];
    let answer = api.get::<Vec<Match>>(&format!("/v1/mma/dna/query{}", query(&pairs))).await?;
    let row = |found: &Match| {
        vec![
            Cell::link(&found.fighter.name, found.fighter.href()),
            Cell::of(found.weight_class.as_deref().map(class)),
            Cell::count(found.metric.sample.bouts),
            found.metric.value.map_or_else(
                || Cell::missing(words(&found.metric.status)),
                |value| Cell::number(value, format!("{value:.2}")),
            ),
            Cell::text(&found.metric.confidence),
        ]
    };
    let head = ["Name", "Class", "#Bouts with statistics", "#Sig. strikes landed per minute", "Confidence"];
    let table = Table::new(
        "Fighters by significant strikes landed per minute",
        &head,
        answer.data.iter().map(row).collect(),
    );
    let matched = answer.meta.matched.unwrap_or_default();
    let section = Section::new("list", format!("{matched} fighters"))
        .line("With a class or a confidence, fighters with Fight DNA are listed, by significant strikes landed per minute, whose confidence it is; names are not looked at.");
    Ok((section.table(table), answer.meta))
}
