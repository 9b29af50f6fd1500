//! The roster: who exists, how they look in the tale of the tape, when they compete.

use chrono::{Days, NaiveDate};

use super::names::{NICKNAMES, NameBook};
use super::random::Rng;
use super::rules::DIVISIONS;
use super::style::{Style, draw_style};

/// Fighters of the two early events.
pub(super) const N_EARLY: usize = 16;
/// Fighters of each modern division; the first [`N_REGULARS`] of them compete all the time.
pub(super) const N_PER_DIVISION: usize = 20;
const N_REGULARS: usize = 2;
/// The first so many have longer careers than the rest.
const N_SEASONED: usize = 7;
/// The end of a regular's career: after the sample.
pub(super) const REGULAR_UNTIL: usize = 99;
/// Fighters in the index whose bouts, if any, were elsewhere.
const N_INDEX_ONLY: usize = 14;

/// The place in the roster of a division's fighter.
pub(super) const fn roster_place(division: usize, place: usize) -> usize {
    N_EARLY + division * N_PER_DIVISION + place
}

/// Two people, one name: a young flyweight and a heavyweight old enough to be the father.
pub(super) const NAMESAKES: [usize; 2] = [roster_place(0, 1), roster_place(7, 1)];
/// Appears under the new name in the index, details and results, under the old one elsewhere.
pub(super) const RENAMED: usize = roster_place(3, 1);
/// Takes a new name between the two captures.
pub(super) const RENAMED_LATER: usize = roster_place(9, 1);
/// Has no first name.
pub(super) const MONONYM: usize = roster_place(1, 1);
/// Has a last name of two words.
pub(super) const TWO_WORD_LAST: usize = roster_place(5, 1);
/// Reach unknown in the first capture, known in the later one.
pub(super) const REACH_LATER: usize = roster_place(2, 1);
/// Has a nickname in the first capture and none in the later one.
pub(super) const NICKNAME_LOST: usize = roster_place(4, 1);
/// Listed twice in the fighter index.
pub(super) const LISTED_TWICE: usize = roster_place(6, 1);
/// Named in a round of a bout that others fought. Has no bout.
pub(super) const STRAY: usize = roster_place(DIVISIONS.len(), 0);

/// A fighter as the source's pages know them.
#[derive(Clone, Debug)]
pub(super) struct Fighter {
    pub(super) first: String,
    pub(super) last: String,
    /// The full name before a rename, where the source still shows it.
    pub(super) former_name: Option<String>,
    pub(super) nickname: Option<&'static str>,
    pub(super) id: String,
    pub(super) height_in: Option<u32>,
    pub(super) weight_lbs: Option<u32>,
    pub(super) reach_in: Option<u32>,
    pub(super) stance: &'static str,
    pub(super) born: Option<NaiveDate>,
    pub(super) style: Style,
    /// Events, by chronological number, between which they compete.
    pub(super) career: (usize, usize),
}

impl Fighter {
    /// The name on cards and results today.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.first, self.last).trim().to_owned()
    }

    /// The name where the source was not rewritten after a rename.
    pub(super) fn old_name(&self) -> String {
        self.former_name.clone().unwrap_or_else(|| self.name())
    }
}

/// Everyone, in the order early fighters, divisions, index only.
pub(super) fn build_roster(seed: u64) -> Vec<Fighter> {
    let mut names = NameBook::default();
    let n = N_EARLY + DIVISIONS.len() * N_PER_DIVISION + N_INDEX_ONLY;
    let mut roster: Vec<Fighter> = (0..n).map(|index| build_fighter(seed, index, &mut names)).collect();
    apply_oddities(&mut roster, &mut names, seed);
    roster
}

fn build_fighter(seed: u64, index: usize, names: &mut NameBook) -> Fighter {
    let rng = &mut Rng::stream(seed, "fighter", index);
    let (first, last) = names.next_name(rng);
    let is_regular = index >= N_EARLY && (index - N_EARLY) % N_PER_DIVISION < N_REGULARS;
    let career = draw_career(rng, index);
    let body = draw_body(rng, index);
    Fighter {
        first,
        last,
        former_name: None,
        nickname: rng.chance(450).then(|| rng.pick(NICKNAMES)),
        id: rng.draw_hex16(),
        height_in: rng.chance(960).then_some(body.height_in),
        weight_lbs: rng.chance(980).then_some(body.weight_lbs),
        reach_in: rng.chance(800).then_some(body.reach_in),
        stance: draw_stance(rng),
        born: rng.chance(940).then(|| draw_birth(rng, career.0)),
        style: draw_style(rng, is_regular),
        career,
    }
}

fn draw_career(rng: &mut Rng, index: usize) -> (usize, usize) {
    if index < N_EARLY {
        return (0, 1);
    }
    let place = (index - N_EARLY) % N_PER_DIVISION;
    if place < N_REGULARS {
        return (2, REGULAR_UNTIL);
    }
    // Some had begun before the sample does, so that its first modern events are full as well.
    let begin = (rng.between(0, 31) as usize).saturating_sub(5).max(2);
    let length = if place < N_SEASONED { rng.between(13, 20) } else { rng.between(4, 11) };
    (begin, begin + length as usize)
}

struct Physique {
    height_in: u32,
    weight_lbs: u32,
    reach_in: u32,
}

fn draw_body(rng: &mut Rng, index: usize) -> Physique {
    let division = &DIVISIONS[division_of(index)];
    let height_in = division.height_in + rng.between(0, 3) + rng.between(0, 3) - 3;
    let slack = if division.limit_lbs == 265 { 50 } else { 0 };
    Physique {
        height_in,
        weight_lbs: division.limit_lbs - rng.between(0, slack),
        reach_in: height_in + rng.between(0, 6) - 2,
    }
}

/// The division whose body a fighter has; anybody's for those of the index alone.
fn division_of(index: usize) -> usize {
    match index {
        12 | 13 => 3,
        14 | 15 => 5,
        // The open weight of the nineties was mostly heavyweights.
        _ if index < N_EARLY => 7,
        _ => (index - N_EARLY) / N_PER_DIVISION % DIVISIONS.len(),
    }
}

fn draw_stance(rng: &mut Rng) -> &'static str {
    const STANCES: [&str; 5] = ["Orthodox", "Southpaw", "Switch", "Open Stance", ""];
    STANCES[rng.weighted_index(&[700, 180, 50, 15, 55])]
}

/// A birthday that makes the fighter 20 to 33 at the first event of their career.
fn draw_birth(rng: &mut Rng, first_event: usize) -> NaiveDate {
    let debut = super::calendar::rough_date(first_event);
    debut - Days::new(u64::from(rng.between(20 * 365, 33 * 365)))
}

/// The people who are there for an oddity of the source rather than by chance.
fn apply_oddities(roster: &mut [Fighter], names: &mut NameBook, seed: u64) {
    let rng = &mut Rng::stream(seed, "oddities", 0);
    let [young, old] = NAMESAKES;
    roster[old].first = roster[young].first.clone();
    roster[old].last = roster[young].last.clone();
    roster[young].born = NaiveDate::from_ymd_opt(1999, 4, 17);
    roster[old].born = NaiveDate::from_ymd_opt(1979, 9, 2);

    rename_fighter(&mut roster[RENAMED], names.next_name(rng).0);
    roster[MONONYM].first = String::new();
    roster[TWO_WORD_LAST].last = format!("van {}", roster[TWO_WORD_LAST].last);
    roster[REACH_LATER].reach_in = None;
    roster[NICKNAME_LOST].nickname = Some(NICKNAMES[0]);
}

/// Gives a new first name; the old full name stays where the source is not rewritten.
pub(super) fn rename_fighter(fighter: &mut Fighter, first: String) {
    fighter.former_name = Some(fighter.name());
    fighter.first = first;
}
