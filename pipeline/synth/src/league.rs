//! Leagues of the size and shape of the real history, for measuring what a larger one costs: events, bouts, careers and
//! fighters without a bout are as many as in the statistics source of 2025-11-02, and nothing in them is wrong on purpose.

use std::collections::HashSet;

use chrono::{Datelike as _, Days, NaiveDate};

use super::cards::Matchmaker;
use super::endings::{self, Matchup};
use super::fighters::Fighter;
use super::names::{NICKNAMES, PLACES, REFEREES, numbered_name};
use super::random::Rng;
use super::rounds;
use super::rules::{DIVISIONS, FIVE, THREE};
use super::style::draw_style;
use super::world::{Bout, Event, World};

/// Events of each year from 1994 on, as the source has them.
const EVENTS: [u32; 32] = [
    3, 4, 5, 5, 3, 6, 6, 5, 7, 5, 5, 10, 18, 19, 20, 20, 24, 27, 31, 33, 46, 41, 41, 39, 39, 42, 41, 43, 42,
    43, 42, 37,
];
/// Fighters in the index, of whom 2,600 or so have a bout.
const FIGHTERS: usize = 4_448;
/// How many of a thousand fighters have 1, 2, 3 … bouts; one in ten has 16 to 34 instead.
const CAREERS: [u32; 20] = [149, 161, 111, 116, 53, 61, 54, 34, 34, 31, 25, 23, 21, 20, 18, 11, 11, 11, 8, 8];
/// Days between two bouts of a fighter, at least.
const REST: u64 = 60;

/// A fighter under contract.
struct Contract {
    fighter: usize,
    bouts_left: u32,
    free_from: NaiveDate,
}

/// Makes one league. Its fighters and events have other names and ids than those of any other.
struct LeagueMaker {
    seed: u64,
    number: usize,
    world: World,
    /// By division.
    active: Vec<Vec<Contract>>,
    bouts: usize,
}

/// The league of this number, from 0.
pub(super) fn make_league(seed: u64, number: usize) -> World {
    let world = World { fighters: Vec::new(), events: Vec::new(), matchmaker: Matchmaker::default() };
    let active = DIVISIONS.iter().map(|_| Vec::new()).collect();
    let mut maker = LeagueMaker { seed, number, world, active, bouts: 0 };
    for (year, n) in (1994..).zip(EVENTS) {
        (0..n).for_each(|event| maker.hold_event(year, event, n));
    }
    while maker.world.fighters.len() < FIGHTERS {
        let division = maker.rng("idle", maker.world.fighters.len()).index(DIVISIONS.len());
        maker.sign_newcomer(division, maker.world.events[0].date);
    }
    maker.world
}

impl LeagueMaker {
    fn rng(&self, purpose: &str, item: usize) -> Rng {
        Rng::stream(self.seed, purpose, self.number * 1_000_000 + item)
    }

    fn hold_event(&mut self, year: i32, number: u32, n_events: u32) {
        let place = self.world.events.len();
        let mut rng = self.rng("event", place);
        let new_year = NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
        let day = new_year + Days::new(u64::from(number * 364 / n_events + rng.below(4)));
        // Saturdays, as most of the source's are: a larger world has more events on a day, not more days.
        let date = day + Days::new(u64::from(6 - day.weekday().num_days_from_sunday()));
        let n = if year < 2000 { 8 } else { rng.between(9, 14) };
        let mut busy = HashSet::new();
        let bouts: Vec<Bout> =
            (0..n).map(|position| self.hold_bout(&mut rng, date, position == 0, &mut busy)).collect();
        let [first, second] = bouts[0].pair.map(|fighter| &self.world.fighters[fighter].last);
        self.world.events.push(Event {
            name: format!("Sample Fight Night {}: {first} vs. {second}", self.number * 1_000 + place + 1),
            id: rng.draw_hex16(),
            date,
            place: rng.pick(PLACES),
            bouts,
        });
    }

    fn hold_bout(
        &mut self,
        rng: &mut Rng,
        date: NaiveDate,
        is_main: bool,
        busy: &mut HashSet<usize>,
    ) -> Bout {
        let division = rng.index(DIVISIONS.len());
        let pair = [0; 2].map(|_| {
            let fighter = self.engage_fighter(rng, division, date, busy);
            busy.insert(fighter);
            fighter
        });
        self.bouts += 1;
        let (rules, fighters) = (if is_main { &FIVE } else { &THREE }, &self.world.fighters);
        let styles = pair.map(|fighter| &fighters[fighter].style);
        let last_names = pair.map(|fighter| fighters[fighter].last.as_str());
        let ending = endings::draw_ending(rng, &Matchup { styles, last_names, rules });
        Bout {
            id: rng.draw_hex16(),
            pair,
            class: format!("{} Bout", DIVISIONS[division].name),
            rules,
            rounds: rounds::simulate_bout(rng, styles, rules.rounds, &ending),
            ending,
            referee: rng.pick(REFEREES),
            has_statistics: true,
            has_control: date.year() >= 2000,
            flaw: None,
        }
    }

    /// A fighter of the division who is free: mostly one under contract, else a newcomer.
    fn engage_fighter(
        &mut self,
        rng: &mut Rng,
        division: usize,
        date: NaiveDate,
        busy: &HashSet<usize>,
    ) -> usize {
        let is_free = |c: &Contract| c.free_from <= date && !busy.contains(&c.fighter);
        let free: Vec<usize> = (0..self.active[division].len())
            .filter(|&place| is_free(&self.active[division][place]))
            .collect();
        // With fewer to choose from, more are signed: careers then last years, as they do.
        let place = if rng.index(12) < free.len() {
            rng.pick(&free)
        } else {
            let fighter = self.sign_newcomer(division, date);
            let bouts_left = match rng.weighted_index(&CAREERS) {
                _ if rng.chance(100) => rng.between(16, 34),
                one_less => u32::try_from(one_less).unwrap_or_default() + 1,
            };
            self.active[division].push(Contract { fighter, bouts_left, free_from: date });
            self.active[division].len() - 1
        };
        let contract = &mut self.active[division][place];
        let fighter = contract.fighter;
        contract.bouts_left -= 1;
        contract.free_from = date + Days::new(REST + u64::from(rng.below(300)));
        if contract.bouts_left == 0 {
            self.active[division].swap_remove(place);
        }
        fighter
    }

    fn sign_newcomer(&mut self, division: usize, date: NaiveDate) -> usize {
        let place = self.world.fighters.len();
        let mut rng = self.rng("fighter", place);
        let rng = &mut rng;
        let (first, last) = numbered_name(self.number * FIGHTERS + place);
        let is_regular = rng.chance(200);
        let about = &DIVISIONS[division];
        let height_in = about.height_in + rng.between(0, 6) - 3;
        self.world.fighters.push(Fighter {
            first,
            last,
            former_name: None,
            nickname: rng.chance(450).then(|| rng.pick(NICKNAMES)),
            id: rng.draw_hex16(),
            height_in: rng.chance(920).then_some(height_in),
            weight_lbs: rng.chance(980).then_some(about.limit_lbs),
            reach_in: rng.chance(560).then_some(height_in + rng.between(0, 6) - 2),
            stance: ["Orthodox", "Southpaw", "Switch", ""][rng.weighted_index(&[700, 180, 40, 80])],
            born: rng.chance(830).then(|| date - Days::new(u64::from(rng.between(20 * 365, 33 * 365)))),
            style: draw_style(rng, is_regular),
            career: (0, 0),
        });
        place
    }
}
