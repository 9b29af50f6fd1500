//! The synthetic world: everyone, every event, every bout, before it is written as files.

use chrono::NaiveDate;

use super::calendar::{N_EARLY_EVENTS, N_EVENTS, event_date, event_place};
use super::cards::{Matchmaker, Pairing};
use super::data_errors::{self, Flaw};
use super::early;
use super::endings::{self, Ending, Matchup};
use super::fighters::{Fighter, build_roster};
use super::names::REFEREES;
use super::random::Rng;
use super::rounds::{self, RoundNumbers};
use super::rules::{DIVISIONS, FIVE, Rules, THREE};
use super::script::{self, CardPlace};

pub(super) struct Event {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) date: NaiveDate,
    pub(super) place: &'static str,
    /// Main event first.
    pub(super) bouts: Vec<Bout>,
}

pub(super) struct Bout {
    pub(super) id: String,
    /// In the order of the results; places in the roster.
    pub(super) pair: [usize; 2],
    pub(super) class: String,
    pub(super) rules: &'static Rules,
    pub(super) ending: Ending,
    pub(super) referee: &'static str,
    pub(super) rounds: Vec<[RoundNumbers; 2]>,
    pub(super) has_statistics: bool,
    /// The source has no control time for the nineties.
    pub(super) has_control: bool,
    pub(super) flaw: Option<Flaw>,
}

pub(super) struct World {
    pub(super) fighters: Vec<Fighter>,
    /// Oldest first.
    pub(super) events: Vec<Event>,
    pub(super) matchmaker: Matchmaker,
}

/// The world up to the first capture.
pub(super) fn build_world(seed: u64) -> World {
    let mut world =
        World { fighters: build_roster(seed), events: Vec::new(), matchmaker: Matchmaker::default() };
    for event in 0..N_EVENTS {
        hold_event(&mut world, seed, event);
    }
    world
}

/// Adds the next event.
pub(super) fn hold_event(world: &mut World, seed: u64, event: usize) {
    let bouts = if event < N_EARLY_EVENTS {
        early_bouts(&world.fighters, seed, event)
    } else {
        modern_bouts(world, seed, event)
    };
    world.events.push(Event {
        name: event_name(&world.fighters, event, &bouts[0]),
        id: Rng::stream(seed, "event", event).draw_hex16(),
        date: event_date(seed, event),
        place: event_place(seed, event),
        bouts,
    });
}

fn event_name(fighters: &[Fighter], event: usize, main: &Bout) -> String {
    let [first, second] = main.pair.map(|fighter| &fighters[fighter].last);
    let kind = match event {
        _ if event < N_EARLY_EVENTS => "Sample Tournament",
        _ if script::is_title_event(event) => "Sample Title Night",
        _ => "Sample Fight Night",
    };
    format!("{kind} {}: {first} vs. {second}", event + 1)
}

fn early_bouts(fighters: &[Fighter], seed: u64, event: usize) -> Vec<Bout> {
    let listed = early::CARDS[event].iter().enumerate();
    listed
        .map(|(position, bout)| {
            let terms = BoutTerms {
                place: (event, position),
                pair: bout.pair,
                class: bout.class.to_owned(),
                rules: bout.rules,
            };
            build_bout(fighters, seed, terms, Some(bout.ending()))
        })
        .collect()
}

fn modern_bouts(world: &mut World, seed: u64, event: usize) -> Vec<Bout> {
    let rng = &mut Rng::stream(seed, "card", event);
    let n = card_size(rng, event);
    let card = world.matchmaker.make_card(rng, &world.fighters, event, n);
    card.into_iter()
        .enumerate()
        .map(|(position, pairing)| {
            let terms = modern_terms((event, position), &pairing);
            build_bout(&world.fighters, seed, terms, None)
        })
        .collect()
}

/// Eight to fourteen bouts; every division where the script needs a particular one.
fn card_size(rng: &mut Rng, event: usize) -> usize {
    let n = rng.between(9, 14) as usize;
    let is_scripted = (0..n).any(|position| script::division_at((event, position)).is_some());
    if is_scripted { n.max(DIVISIONS.len()) } else { n }
}

fn modern_terms(place: CardPlace, pairing: &Pairing) -> BoutTerms {
    BoutTerms {
        place,
        pair: pairing.pair,
        class: script::class_text(place, DIVISIONS[pairing.division].name),
        rules: if place.1 == 0 { &FIVE } else { &THREE },
    }
}

/// Terms agreed before the bout.
struct BoutTerms {
    place: CardPlace,
    pair: [usize; 2],
    class: String,
    rules: &'static Rules,
}

fn build_bout(fighters: &[Fighter], seed: u64, terms: BoutTerms, ending: Option<Ending>) -> Bout {
    let BoutTerms { place, pair, class, rules } = terms;
    let rng = &mut Rng::stream(seed, "bout", place.0 * 100 + place.1);
    let id = rng.draw_hex16();
    let referee = rng.pick(REFEREES);
    let styles = pair.map(|fighter| &fighters[fighter].style);
    let matchup = Matchup { styles, last_names: pair.map(|fighter| fighters[fighter].last.as_str()), rules };
    let ending = ending.unwrap_or_else(|| match script::twist_at(place) {
        Some(twist) => endings::scripted_ending(rng, &matchup, twist),
        None => endings::draw_ending(rng, &matchup),
    });
    Bout {
        id,
        pair,
        class,
        rules,
        rounds: rounds::simulate_bout(rng, styles, rules.rounds, &ending),
        ending,
        referee: if script::has_referee(place) { referee } else { "" },
        has_statistics: script::has_statistics(place),
        has_control: place.0 >= N_EARLY_EVENTS,
        flaw: data_errors::flaw_at(place),
    }
}
