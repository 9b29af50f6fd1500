//! `/`: the next card, what changed last and why.

use crate::ask::{Api, Refusal, query};
use crate::model::{Card, Change, Counts, Event};
use crate::page::{Cell, Link, Page, Section, Table};
use crate::pages::event::card_table;
use crate::shown::{CHANGE_HEAD, minute};

/// Changes shown at most.
const CHANGES: &str = "25";

pub(crate) async fn page(api: &Api) -> Result<Page, Refusal> {
    let counts: Counts = api.data("/v1/mma/counts").await?;
    let next: Vec<Event> = api.data("/v1/mma/events?status=upcoming&limit=1").await?;
    let mut sections = Vec::new();
    match next.first() {
        Some(event) => {
            let card: Card = api.data(&format!("/v1/mma/events/{}/card", event.short.id)).await?;
            let mut section = Section::new("next", format!("Next card: {}", event.short.name)).wide();
            section.links.push(Link::new("The card compared", format!("/events/{}", event.short.id)));
            let when =
                event.scheduled_start.value.as_deref().map_or_else(|| event.short.event_date.clone(), minute);
            sections.push(section.line(when).table(card_table(&card)));
        }
        None => sections.push(
            Section::new("next", "Next card").line("No event to come is known. Past ones are under Events."),
        ),
    }
    sections.push(changes(api, counts.known_until.as_deref()).await?);
    let of =
        |name: &str| counts.tables.get(name).map_or_else(|| Cell::missing("none"), |rows| Cell::count(*rows));
    Ok(Page {
        title: "Fight DNA explorer".to_owned(),
        lead: vec![
            "Bouts, fighters and versioned metrics with sample, interval and confidence beside every value."
                .to_owned(),
        ],
        facts: vec![
            ("Events".to_owned(), of("events")),
            ("Bouts".to_owned(), of("bouts")),
            ("Fighters".to_owned(), of("fighters")),
            ("First day".to_owned(), Cell::of(counts.first_date)),
            ("Last day".to_owned(), Cell::of(counts.last_date)),
            ("Captures tell until".to_owned(), Cell::of(counts.known_until)),
        ],
        sections,
        ..Page::default()
    })
}

/// What the captures of the newest day brought that tells of results or schedules.
async fn changes(api: &Api, known_until: Option<&str>) -> Result<Section, Refusal> {
    let section = Section::new("changes", "What changed last, and why").wide();
    let Some(since) = known_until else {
        return Ok(section.line("No capture is known."));
    };
    let address = format!("/v1/mma/changes{}", query(&[("since", Some(since)), ("limit", Some(CHANGES))]));
    let answer = api.get::<Vec<Change>>(&address).await?;
    let rows = answer.data.iter().map(Change::cells).collect();
    let total = answer.meta.total.unwrap_or_default();
    let line = format!("{total} changes since {}; the first {} of them:", since, answer.data.len());
    Ok(section.line(line).table(Table::new("Changes of the newest captures", &CHANGE_HEAD, rows)))
}
