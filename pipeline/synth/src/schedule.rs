//! The schedule feed's payload of the next event: announced, changed two weeks later, moved in its week.

use chrono::{DateTime, Duration, NaiveTime, Utc};
use serde::Serialize;

use super::calendar::{N_EVENTS, event_date};
use super::fighters::{Fighter, N_EARLY, N_PER_DIVISION};
use super::later::pass_a_month;
use super::rules::DIVISIONS;
use super::world::{Bout, World, build_world};

/// How far the next event has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScheduleState {
    Announced,
    /// A bout is off, and an opponent is another one.
    Changed,
    /// It starts an hour later, and two bouts change places.
    Moved,
}

/// Place on the card, main event first, of the bout whose opponent changes.
const REPLACED: usize = 3;

#[derive(Serialize)]
struct Scoreboard {
    events: Vec<Event>,
}

#[derive(Serialize)]
struct Event {
    id: String,
    date: String,
    name: String,
    #[serde(rename = "shortName")]
    short_name: String,
    competitions: Vec<Competition>,
    venues: Vec<Venue>,
    status: Status,
}

#[derive(Serialize)]
struct Competition {
    id: String,
    date: String,
    #[serde(rename = "type")]
    kind: Kind,
    venue: Venue,
    competitors: [Competitor; 2],
    status: Status,
    format: Format,
    broadcast: &'static str,
}

#[derive(Serialize)]
struct Kind {
    id: String,
    abbreviation: String,
}

#[derive(Serialize, Clone)]
struct Venue {
    id: &'static str,
    #[serde(rename = "fullName")]
    full_name: &'static str,
    address: Address,
    indoor: bool,
}

#[derive(Serialize, Clone)]
struct Address {
    city: &'static str,
    country: &'static str,
}

#[derive(Serialize)]
struct Competitor {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    order: u8,
    winner: bool,
    athlete: Athlete,
}

#[derive(Serialize)]
struct Athlete {
    #[serde(rename = "fullName")]
    full_name: String,
    #[serde(rename = "displayName")]
    display_name: String,
}

#[derive(Serialize, Clone)]
struct Status {
    period: u8,
    #[serde(rename = "type")]
    kind: StatusType,
}

#[derive(Serialize, Clone)]
struct StatusType {
    id: &'static str,
    name: &'static str,
    state: &'static str,
    completed: bool,
}

#[derive(Serialize)]
struct Format {
    regulation: Regulation,
}

#[derive(Serialize)]
struct Regulation {
    periods: u8,
}

const VENUE: Venue = Venue {
    id: "9001",
    full_name: "Placeholder Arena",
    address: Address { city: "Testburg", country: "Samplonia" },
    indoor: true,
};

const SCHEDULED: Status = Status {
    period: 0,
    kind: StatusType { id: "1", name: "STATUS_SCHEDULED", state: "pre", completed: false },
};

/// The payload as JSON.
pub(super) fn scoreboard_json(seed: u64, state: ScheduleState) -> String {
    let mut world = build_world(seed);
    pass_a_month(&mut world, seed);
    let board = Scoreboard { events: vec![build_event(&world, seed, state)] };
    serde_json::to_string_pretty(&board).unwrap_or_default() + "\n"
}

fn build_event(world: &World, seed: u64, state: ScheduleState) -> Event {
    let next = &world.events[N_EVENTS];
    let start = starts_at(seed, state);
    Event {
        id: "690000031".to_owned(),
        date: format_instant(start),
        name: next.name.clone(),
        short_name: next.name.split(':').next().unwrap_or_default().to_owned(),
        competitions: build_competitions(world, &next.bouts, start, state),
        venues: vec![VENUE],
        status: SCHEDULED,
    }
}

/// The first bout, in UTC: the evening of the day before at the place.
fn starts_at(seed: u64, state: ScheduleState) -> DateTime<Utc> {
    let midnight = event_date(seed, N_EVENTS).and_time(NaiveTime::MIN).and_utc();
    midnight + Duration::hours(if state == ScheduleState::Moved { 24 } else { 23 })
}

fn format_instant(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%MZ").to_string()
}

/// First to be fought first, as the feed lists them.
fn build_competitions(
    world: &World,
    bouts: &[Bout],
    start: DateTime<Utc>,
    state: ScheduleState,
) -> Vec<Competition> {
    let mut list: Vec<Competition> = bouts
        .iter()
        .enumerate()
        .map(|(place, bout)| {
            let mut pair = bout.pair;
            // The fighter who is to be replaced, and the id of the bout that goes with him.
            let is_before = state == ScheduleState::Announced && place == REPLACED;
            if is_before {
                pair[1] = free_mate(world, bouts, pair, 0);
            }
            let id = 401_900_000 + place + if is_before { 500 } else { 0 };
            let main_card = if place < 5 { 3 } else { 0 };
            build_competition(world, id, pair, start + Duration::hours(main_card), bout.rules.rounds.len())
        })
        .collect();
    if state == ScheduleState::Announced {
        let pair = bouts[REPLACED + 1].pair;
        let first = free_mate(world, bouts, pair, 1);
        let second = free_mate(world, bouts, pair, 2);
        list.push(build_competition(world, 401_900_900, [first, second], start, 3));
    }
    if state == ScheduleState::Moved {
        let last = list.len() - 1;
        list.swap(last, last - 1);
    }
    list.reverse();
    list
}

/// Somebody of the same division who is not on the card.
fn free_mate(world: &World, bouts: &[Bout], pair: [usize; 2], nth: usize) -> usize {
    let division = pair[0].saturating_sub(N_EARLY) / N_PER_DIVISION;
    let mates = (0..N_PER_DIVISION).map(|place| N_EARLY + division * N_PER_DIVISION + place);
    let is_busy = |fighter: &usize| bouts.iter().any(|bout| bout.pair.contains(fighter));
    let mut free = mates.filter(|mate| !is_busy(mate) && *mate < world.fighters.len());
    free.nth(nth).unwrap_or(pair[1])
}

fn build_competition(
    world: &World,
    id: usize,
    pair: [usize; 2],
    start: DateTime<Utc>,
    rounds: usize,
) -> Competition {
    let division = &DIVISIONS[pair[0].saturating_sub(N_EARLY) / N_PER_DIVISION % DIVISIONS.len()];
    let competitor = |place: usize| Competitor {
        id: athlete_id(pair[place]),
        kind: "athlete",
        order: if place == 0 { 1 } else { 2 },
        winner: false,
        athlete: build_athlete(&world.fighters[pair[place]]),
    };
    Competition {
        id: id.to_string(),
        date: format_instant(start),
        kind: Kind {
            id: division.limit_lbs.to_string(),
            abbreviation: division.name.replace("Women's ", "W "),
        },
        venue: VENUE,
        competitors: [competitor(0), competitor(1)],
        status: SCHEDULED,
        format: Format { regulation: Regulation { periods: u8::try_from(rounds).unwrap_or(3) } },
        broadcast: "Sample+",
    }
}

fn athlete_id(fighter: usize) -> String {
    (9_100_000 + fighter).to_string()
}

fn build_athlete(fighter: &Fighter) -> Athlete {
    Athlete { full_name: fighter.name(), display_name: fighter.name() }
}
