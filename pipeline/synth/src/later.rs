//! Changes between the two captures.

use super::calendar::N_EVENTS;
use super::endings::Outcome;
use super::fighters::{NICKNAME_LOST, REACH_LATER, RENAMED_LATER, rename_fighter};
use super::names::NameBook;
use super::random::Rng;
use super::script::{CardPlace, OVERTURNED_LATER, STATISTICS_LATER};
use super::world::{Bout, World, hold_event};

/// One more event, and everything the source rewrites about the past.
pub(super) fn pass_a_month(world: &mut World, seed: u64) {
    hold_event(world, seed, N_EVENTS);
    overturn_result(world);
    bout_at(world, STATISTICS_LATER).has_statistics = true;
    change_people(world, seed);
}

fn bout_at(world: &mut World, (event, position): CardPlace) -> &mut Bout {
    &mut world.events[event].bouts[position]
}

/// The source replaces outcome, method and details; round and time stay.
fn overturn_result(world: &mut World) {
    let bout = bout_at(world, OVERTURNED_LATER);
    let winner = bout.ending.outcome.winner().map_or(0, |side| bout.pair[side]);
    let last = world.fighters[winner].last.clone();
    let ending = &mut bout_at(world, OVERTURNED_LATER).ending;
    ending.outcome = Outcome::NoContest;
    ending.method = "Overturned";
    ending.details = format!("Arm Triangle win for {last} overturned");
}

fn change_people(world: &mut World, seed: u64) {
    let rng = &mut Rng::stream(seed, "later", 0);
    let people = &mut world.fighters;
    rename_fighter(&mut people[RENAMED_LATER], NameBook::default().next_name(rng).0);
    people[NICKNAME_LOST].nickname = None;
    let tall = people[REACH_LATER].height_in.unwrap_or(69);
    people[REACH_LATER].reach_in = Some(tall + 2);
}
