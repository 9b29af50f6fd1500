//! `/events`.

use fdna_api::PROMOTIONS;

use crate::ask::{Api, Ask, Refusal, address, query};
use crate::model::Event;
use crate::page::{Cell, Field, Form, Link, Page, Section, Table};
use crate::shown::words;

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let status = ask.or("status", "all");
    let filters = ["promotion", "from", "to", "cursor"].map(|name| (name, ask.get(name)));
    let asked: Vec<(&str, Option<&str>)> =
        [("status", Some(status)), ("limit", Some("50"))].into_iter().chain(filters).collect();
    let answer = api.get::<Vec<Event>>(&format!("/v1/mma/events{}", query(&asked))).await?;
    let rows = answer.data.iter().map(row).collect();
    let total = answer.meta.total.unwrap_or_default();
    let mut section = Section::new("list", format!("{total} events")).wide().table(Table::new(
        "Events",
        &["Date", "Event", "Promotion", "Where", "State"],
        rows,
    ));
    if let Some(cursor) = &answer.meta.next_cursor {
        let next: Vec<(&str, Option<&str>)> = [("status", Some(status)), ("cursor", Some(cursor.as_str()))]
            .into_iter()
            .chain(filters.into_iter().filter(|(name, _)| *name != "cursor"))
            .collect();
        section.links.push(Link::new("Next page", address("/events", &next)));
    }
    Ok(Page {
        title: "Events".to_owned(),
        place: "/events",
        forms: vec![form(ask, status)],
        sections: vec![section],
        ..Page::default()
    })
}

fn form(ask: &Ask, status: &str) -> Form {
    let options =
        |codes: &[&str]| codes.iter().map(|code| ((*code).to_owned(), words(code))).collect::<Vec<_>>();
    let mut promotions = vec![(String::new(), "any".to_owned())];
    promotions.extend(options(PROMOTIONS));
    let date = |name, label| Field::input("date", name, label, ask.or(name, ""));
    Form {
        action: "/events".to_owned(),
        submit: "Show",
        fields: vec![
            Field::select("status", "State", status, options(&["all", "upcoming", "recent"])),
            Field::select("promotion", "Promotion", ask.or("promotion", ""), promotions),
            date("from", "From"),
            date("to", "To"),
        ],
        ..Form::default()
    }
}

fn row(event: &Event) -> Vec<Cell> {
    let place: Vec<&str> =
        [&event.venue, &event.city, &event.country].into_iter().flatten().map(String::as_str).collect();
    vec![
        Cell::text(&event.short.event_date),
        Cell::link(&event.short.name, format!("/events/{}", event.short.id)),
        Cell::of(event.short.promotion.as_deref()),
        if place.is_empty() { Cell::missing("not stated") } else { Cell::text(place.join(", ")) },
        Cell::of(event.short.card_status.as_deref()),
    ]
}
