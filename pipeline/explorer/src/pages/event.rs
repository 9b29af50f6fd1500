//! `/events/{id}`: the card in order, each bout compared in short, the fight week.

use std::collections::BTreeMap;

use fdna_picture::{Caption, Dumbbell, dumbbells};

use crate::ask::{Api, Ask, Refusal};
use crate::model::{Card, CardBout, Definition, DnaOfOne, Known, MetricDefinitions, Value};
use crate::page::{Cell, Figure, Link, Page, Section, Table};
use crate::shown::{class, domain, ending, minute, number, quantity, words};

/// What each bout is compared by.
const METRICS: [&str; 4] =
    ["sig_landed_per_min", "sig_absorbed_per_min", "td_landed_per_15", "control_share"];

/// Fighters that one question to the API may name.
const AT_ONCE: usize = 25;

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let card: Card = api.data(&format!("/v1/mma/events/{}/card", ask.id())).await?;
    let definitions = api.definitions().await?;
    let dna = values(api, &card).await?;
    let event = &card.event;
    let mut sections = vec![Section::new("card", "The card").wide().table(card_table(&card))];
    // What was called off is on the card, and is not compared.
    let strip = card
        .bouts
        .iter()
        .filter(|bout| bout.bout.status.as_deref() != Some("cancelled"))
        .filter_map(|bout| compared(&definitions, &dna, bout));
    sections.extend(strip);
    sections.push(fight_week(api, &event.short.id).await?);
    let place: Vec<&str> =
        [&event.venue, &event.city, &event.country].into_iter().flatten().map(String::as_str).collect();
    Ok(Page {
        title: event.short.name.clone(),
        place: "/events",
        lead: vec![format!(
            "Fighters are compared by what was known before {}. Dots with their 90 % intervals; no side is marked as the better.",
            event.short.event_date
        )],
        facts: vec![
            (
                "Date".to_owned(),
                Cell::text(format!(
                    "{} ({})",
                    event.short.event_date,
                    match event.event_date_rule.as_str() {
                        "venue" | "public_record" => "at the venue",
                        _ => "as the source states it",
                    }
                )),
            ),
            (
                "Start".to_owned(),
                event.scheduled_start.value.as_deref().map_or_else(
                    || Cell::missing(words(&event.scheduled_start.status)),
                    |start| Cell::text(minute(start)),
                ),
            ),
            (
                "Where".to_owned(),
                if place.is_empty() { Cell::missing("not stated") } else { Cell::text(place.join(", ")) },
            ),
            ("Promotion".to_owned(), Cell::of(event.short.promotion.as_deref())),
            ("State".to_owned(), Cell::of(event.short.card_status.as_deref())),
        ],
        sections,
        ..Page::default()
    })
}

/// Bouts of a card, the main event first.
pub(crate) fn card_table(card: &Card) -> Table {
    let row = |bout: &CardBout| {
        let result = match &bout.result {
            Some(result) => Cell::text(format!("{}: {}", winner(bout), ending(result))),
            None => Cell::missing(bout.bout.status.as_deref().map_or_else(|| "not known".to_owned(), words)),
        };
        vec![
            Cell::link("bout", format!("/bouts/{}", bout.bout.id)),
            Cell::link(&bout.fighter_a.name, bout.fighter_a.href()),
            Cell::link(&bout.fighter_b.name, bout.fighter_b.href()),
            Cell::of(bout.bout.weight_class.as_deref().map(class)),
            bout.bout.scheduled_rounds.map_or_else(|| Cell::missing("not stated"), Cell::count),
            match bout.bout.is_title {
                Some(true) => Cell::text("title"),
                Some(false) => Cell::text("no"),
                None => Cell::missing("not stated"),
            },
            bout.bout
                .card_position
                .as_deref()
                .map_or_else(|| Cell::missing("not stated"), |at| Cell::text(words(at))),
            result,
            Cell::link(
                "compare",
                format!(
                    "/matchups/{}/{}?as_of={}",
                    bout.fighter_a.id, bout.fighter_b.id, card.event.short.event_date
                ),
            ),
        ]
    };
    let head = ["Bout", "Fighter", "Fighter", "Class", "#Rounds", "Title", "Part", "Result", "Matchup"];
    Table::new("Bouts, the main event first", &head, card.bouts.iter().map(row).collect())
}

/// Who won, as the result says.
pub(crate) fn winner(bout: &CardBout) -> String {
    let Some(result) = &bout.result else { return "not known".to_owned() };
    let sides = [&bout.fighter_a, &bout.fighter_b];
    let winner = sides.into_iter().find(|side| Some(&side.id) == result.winner_id.as_ref());
    winner.map_or_else(|| words(&result.outcome), |side| side.name.clone())
}

/// Values of everybody on the card before its day, by fighter and metric.
async fn values(api: &Api, card: &Card) -> Result<BTreeMap<String, Vec<Value>>, Refusal> {
    let ids: Vec<&str> =
        card.bouts.iter().flat_map(|bout| [bout.fighter_a.id.as_str(), bout.fighter_b.id.as_str()]).collect();
    let mut found = BTreeMap::new();
    for ids in ids.chunks(AT_ONCE) {
        let address = format!(
            "/v1/mma/fighters/dna?ids={}&metrics={}&fields=status,value,interval&as_of={}",
            ids.join(","),
            METRICS.join(","),
            card.event.short.event_date
        );
        match api.data::<Vec<DnaOfOne>>(&address).await {
            Ok(all) => found.extend(all.into_iter().filter_map(|one| Some((one.id, one.dna?.metrics)))),
            // A card is a card without DNA.
            Err(refusal) if refusal.status == 404 || refusal.status == 503 => {}
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(found)
}

fn compared(
    definitions: &MetricDefinitions,
    dna: &BTreeMap<String, Vec<Value>>,
    bout: &CardBout,
) -> Option<Section> {
    let of = |id: &str, metric: &str| {
        dna.get(id).and_then(|values| values.iter().find(|value| value.metric == metric))
    };
    let sides: Vec<(&Definition, Option<&Value>, Option<&Value>)> = METRICS
        .iter()
        .filter_map(|name| definitions.find(name))
        .map(|definition| {
            (
                definition,
                of(&bout.fighter_a.id, &definition.metric),
                of(&bout.fighter_b.id, &definition.metric),
            )
        })
        .collect();
    if sides.iter().all(|(_, a, b)| a.is_none() && b.is_none()) {
        return None;
    }
    let rows: Vec<Dumbbell> = sides.iter().map(|(definition, a, b)| dumbbell(definition, *a, *b)).collect();
    let id = format!("bout-{}", &bout.bout.id);
    let title = format!("{} and {}", bout.fighter_a.name, bout.fighter_b.name);
    let caption = Caption {
        id: &id,
        title: &title,
        description: "Values and 90 % intervals of both before the event; the numbers are in the table below.",
    };
    let svg = dumbbells(caption, (&bout.fighter_a.name, &bout.fighter_b.name), &rows);
    let row = |(definition, a, b): &(&Definition, Option<&Value>, Option<&Value>)| {
        vec![
            Cell::link(&definition.label, format!("/metrics/{}", definition.metric)),
            value_cell(definition, *a),
            value_cell(definition, *b),
        ]
    };
    let head = ["Metric", &format!("#{}", bout.fighter_a.name), &format!("#{}", bout.fighter_b.name)];
    let table = Table::new(format!("{title} before the event"), &head, sides.iter().map(row).collect());
    let mut section =
        Section::new(format!("c-{}", &bout.bout.id), title.clone()).figure(Figure::new(svg, "")).table(table);
    section.links.push(Link::new("The bout", format!("/bouts/{}", bout.bout.id)));
    Some(section)
}

fn dumbbell(definition: &Definition, a: Option<&Value>, b: Option<&Value>) -> Dumbbell {
    let ends = |side: Option<&Value>| {
        side.and_then(|value| value.interval.as_ref()).map(crate::model::Interval::ends)
    };
    let value = |side: Option<&Value>| side.and_then(|value| value.value);
    let text = |side: Option<&Value>| {
        value(side).map_or_else(|| "no value".to_owned(), |value| number(definition, value))
    };
    let (interval_a, interval_b) = (ends(a), ends(b));
    let all = [value(a), value(b)]
        .into_iter()
        .flatten()
        .chain([interval_a, interval_b].into_iter().flatten().flat_map(|(low, high)| [low, high]));
    Dumbbell {
        label: definition.label.clone(),
        text: format!("{} | {}", text(a), text(b)),
        a: value(a),
        b: value(b),
        interval_a,
        interval_b,
        domain: domain(definition, all),
    }
}

fn value_cell(definition: &Definition, side: Option<&Value>) -> Cell {
    match side {
        None => Cell::missing("no DNA before this day"),
        Some(Value { value: Some(value), .. }) => Cell::number(*value, quantity(definition, *value)),
        Some(other) => Cell::missing(words(&other.status)),
    }
}

async fn fight_week(api: &Api, event: &str) -> Result<Section, Refusal> {
    let section = Section::new("week", "The fight week").wide();
    let known: Vec<Known> = match api.data(&format!("/v1/mma/events/{event}/intelligence")).await {
        Ok(known) => known,
        Err(refusal) if refusal.status == 404 || refusal.status == 503 => {
            return Ok(section.line(format!("Not available: {}.", refusal.message)));
        }
        Err(refusal) => return Err(refusal),
    };
    let row = |known: &Known| {
        let changed = known.diff.iter().map(|change| {
            format!("{} ({})", words(change.path.trim_start_matches('/')), words(&change.cause))
        });
        let changed: Vec<String> = changed.collect();
        vec![
            Cell::link(
                format!("{} and {}", known.fighter_a.name, known.fighter_b.name),
                format!("/bouts/{}", known.bout.id),
            ),
            Cell::text(&known.checkpoint),
            Cell::text(minute(&known.valid_at)),
            Cell::of(known.bout_status.as_deref().map(words)),
            if changed.is_empty() { Cell::missing("nothing") } else { Cell::text(changed.join(", ")) },
        ]
    };
    let head = ["Bout", "Checkpoint", "Held at", "State", "Changed since the checkpoint before"];
    let unavailable: Vec<String> = known
        .first()
        .map(|known| {
            known
                .sources
                .iter()
                .filter(|source| source.status != "available")
                .map(|source| {
                    format!(
                        "{} ({})",
                        words(&source.name),
                        words(source.reason.as_deref().unwrap_or(&source.status))
                    )
                })
                .collect()
        })
        .unwrap_or_default();
    let section =
        section.table(Table::new("Newest row of each bout", &head, known.iter().map(row).collect()));
    Ok(match unavailable.is_empty() {
        true => section,
        false => {
            section.line(format!("Not available: {}. Nothing is put in their place.", unavailable.join(", ")))
        }
    })
}
