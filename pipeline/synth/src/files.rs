//! The world as the six files: which rows, in which order, with the source's spacing.

use super::csv::to_csv;
use super::data_errors::Flaw;
use super::fighters::{Fighter, LISTED_TWICE};
use super::round_rows::bout_rows;
use super::world::{Bout, Event, World};

const SITE: &str = "http://statsdb.example";

/// Events, newest first.
pub(super) fn event_details(world: &World) -> String {
    let rows: Vec<_> = newest_first(world)
        .map(|event| {
            [
                event.name.clone(),
                format!("{SITE}/event-details/{}", event.id),
                event.date.format("%B %d, %Y").to_string(),
                event.place.to_owned(),
            ]
        })
        .collect();
    to_csv(["EVENT", "URL", "DATE", "LOCATION"], &rows)
}

/// Bouts with the winner first, whichever way round the results list them.
pub(super) fn fight_details(world: &World) -> String {
    let rows: Vec<_> = every_bout(world)
        .map(|(event, bout)| {
            let [first, second] = bout.pair.map(|fighter| world.fighters[fighter].name());
            let names = match bout.ending.outcome.winner() {
                Some(1) => format!("{second} vs. {first}"),
                _ => format!("{first} vs. {second}"),
            };
            [event.name.clone(), names, bout_url(bout)]
        })
        .collect();
    to_csv(["EVENT", "BOUT", "URL"], &rows)
}

const RESULT_HEADER: [&str; 11] = [
    "EVENT",
    "BOUT",
    "OUTCOME",
    "WEIGHTCLASS",
    "METHOD",
    "ROUND",
    "TIME",
    "TIME FORMAT",
    "REFEREE",
    "DETAILS",
    "URL",
];

/// Results, with the trailing spaces that the source's page leaves.
pub(super) fn fight_results(world: &World) -> String {
    let rows: Vec<_> =
        every_bout(world).map(|(event, bout)| result_row(&world.fighters, event, bout)).collect();
    to_csv(RESULT_HEADER, &rows)
}

fn result_row(fighters: &[Fighter], event: &Event, bout: &Bout) -> [String; 11] {
    let [first, second] = bout.pair.map(|fighter| padded_name(&fighters[fighter]));
    let ending = &bout.ending;
    let time = match bout.flaw {
        Some(Flaw::UnreadableTime) => "x:59".to_owned(),
        _ => format_clock(ending.secs),
    };
    [
        format!("{} ", event.name),
        format!("{first}  vs. {second} "),
        ending.outcome.text().to_owned(),
        bout.class.clone(),
        format!("{} ", ending.method),
        ending.round.to_string(),
        time,
        bout.rules.text.to_owned(),
        bout.referee.to_owned(),
        ending.details.clone(),
        bout_url(bout),
    ]
}

/// The results keep the space after a first name that is not there.
fn padded_name(fighter: &Fighter) -> String {
    format!("{} {}", fighter.first, fighter.last)
}

/// The per-round rows: each bout's first fighter, then the second.
pub(super) fn fight_stats(world: &World) -> String {
    let rows: Vec<_> =
        every_bout(world).flat_map(|(event, bout)| bout_rows(&world.fighters, event, bout)).collect();
    to_csv(super::round_rows::HEADER, &rows)
}

/// The index of fighters by last name; one of them stands there twice.
pub(super) fn fighter_details(world: &World) -> String {
    let twice = &world.fighters[LISTED_TWICE].id;
    let rows: Vec<_> = by_name(world)
        .flat_map(|fighter| {
            let n = if fighter.id == *twice { 2 } else { 1 };
            std::iter::repeat_n(index_row(fighter), n)
        })
        .collect();
    to_csv(["FIRST", "LAST", "NICKNAME", "URL"], &rows)
}

fn index_row(fighter: &Fighter) -> [String; 4] {
    [
        fighter.first.clone(),
        fighter.last.clone(),
        fighter.nickname.unwrap_or_default().to_owned(),
        fighter_url(fighter),
    ]
}

const TAPE_HEADER: [&str; 7] = ["FIGHTER", "HEIGHT", "WEIGHT", "REACH", "STANCE", "DOB", "URL"];

/// The tale of the tape, under the names from before a rename.
pub(super) fn fighter_tott(world: &World) -> String {
    let rows: Vec<_> = by_name(world).map(tape_row).collect();
    to_csv(TAPE_HEADER, &rows)
}

fn tape_row(fighter: &Fighter) -> [String; 7] {
    let unknown = || "--".to_owned();
    let height = |inches: u32| format!("{}' {}\"", inches / 12, inches % 12);
    [
        fighter.old_name(),
        fighter.height_in.map_or_else(unknown, height),
        fighter.weight_lbs.map_or_else(unknown, |lbs| format!("{lbs} lbs.")),
        fighter.reach_in.map_or_else(unknown, |inches| format!("{inches}\"")),
        fighter.stance.to_owned(),
        fighter.born.map_or_else(unknown, |day| day.format("%b %d, %Y").to_string()),
        fighter_url(fighter),
    ]
}

fn newest_first(world: &World) -> impl Iterator<Item = &Event> {
    world.events.iter().rev()
}

fn every_bout(world: &World) -> impl Iterator<Item = (&Event, &Bout)> {
    newest_first(world).flat_map(|event| event.bouts.iter().map(move |bout| (event, bout)))
}

fn by_name(world: &World) -> impl Iterator<Item = &Fighter> {
    let mut fighters: Vec<&Fighter> = world.fighters.iter().collect();
    fighters.sort_by_key(|fighter| (&fighter.last, &fighter.id));
    fighters.into_iter()
}

fn bout_url(bout: &Bout) -> String {
    format!("{SITE}/fight-details/{}", bout.id)
}

fn fighter_url(fighter: &Fighter) -> String {
    format!("{SITE}/fighter-details/{}", fighter.id)
}

/// Minutes and seconds; more than nine minutes in the long rounds of the nineties.
pub(super) fn format_clock(secs: u32) -> String {
    format!("{}:{:02}", secs / 60, secs % 60)
}
