//! Facts as text, a bout a line:
//!
//! ```text
//! 2020-01-10  A beats B  900s  A 60/120 td 2/5 ctrl 90  B 30/90
//! ```
//!
//! Date, first fighter, `beats`, `draws` or `nc`, second fighter, fought seconds; then per fighter his
//! significant strikes (all to the head, at distance, and all his strikes) and other counts. `ctrl` left
//! out means control time was not recorded; a bout without any counts has no statistics. `in CLASS` after
//! the seconds gives the weight class (`LIGHTWEIGHT` otherwise, `in -` for none), `by METHOD` after that the
//! method by its name (`ko_tko` otherwise). Rounds are of five minutes, and the counts are spread over them,
//! what is left over in the first. Decisions have one judge, 10 to 9 a round. `stance NAME STANCE` is a line too.

use chrono::NaiveDate;
use fdna_model::{
    BoutFact, BoutId, Count, EventId, Facts, FighterId, Method, Outcome, RoundCounts, RoundFact, Side,
    Stance, WeightClass,
};

/// Id of the fighter whom a script calls `name`.
#[must_use]
pub fn fighter(name: &str) -> FighterId {
    FighterId::of("kit", name)
}

/// Reads a script.
///
/// # Panics
/// A line is not of the form above.
#[must_use]
pub fn facts(script: &str) -> Facts {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    let (stances, bouts): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with("stance "));
    let bouts = bouts.into_iter().enumerate().map(|(n, line)| bout(n, line)).collect();
    Facts::new(bouts).with_stances(stances.into_iter().map(stance))
}

fn stance(line: &str) -> (FighterId, Stance) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, name, stance] = words[..] else { panic!("not a stance: {line}") };
    (fighter(name), Stance::parse(stance).unwrap_or_else(|| panic!("no stance: {line}")))
}

fn bout(n: usize, line: &str) -> BoutFact {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [date, first, verb, second, secs, ref rest @ ..] = words[..] else { panic!("not a bout: {line}") };
    let date: NaiveDate = date.parse().unwrap_or_else(|_| panic!("no date: {line}"));
    let secs: i32 = secs.trim_end_matches('s').parse().unwrap_or_else(|_| panic!("no seconds: {line}"));
    let (class, rest) = match rest {
        ["in", class, rest @ ..] => (WeightClass::from_name(class), rest),
        rest => (Some(WeightClass::Lightweight), rest),
    };
    let (method, rest) = match rest {
        ["by", method, rest @ ..] => (Method::from_name(method), rest),
        rest => (None, rest),
    };
    let names = if fighter(first) < fighter(second) { [first, second] } else { [second, first] };
    let totals = names.map(|name| counts(name, &names, rest));
    let rounds = if rest.is_empty() { Vec::new() } else { spread(&totals, secs) };
    let winner = if names[0] == first { Side::A } else { Side::B };
    let (outcome, winner, usual) = match verb {
        "beats" => (Outcome::Win, Some(winner), Method::KoTko),
        "draws" => (Outcome::Draw, None, Method::DecisionMajority),
        "nc" => (Outcome::NoContest, None, Method::Overturned),
        other => panic!("`{other}` is no result: {line}"),
    };
    let method = method.unwrap_or(usual);
    let last_round = n_rounds(secs);
    let points = |side| if winner.is_none_or(|w| w == side) { 10 * last_round } else { 9 * last_round };
    BoutFact {
        id: BoutId::of("kit", &format!("{date} {n}")),
        event: EventId::of("kit", &date.to_string()),
        date,
        order: i32::try_from(n).ok(),
        class,
        fighters: names.map(fighter),
        outcome,
        winner,
        method,
        method_detail: method.is_finish().then(|| "as scripted".to_owned()),
        last_round,
        scheduled_rounds: Some(if last_round > 3 { 5 } else { 3 }),
        is_title: last_round > 3,
        cards: if method.is_decision() { vec![Some(Side::BOTH.map(points))] } else { Vec::new() },
        total_secs: Some(secs),
        rounds,
    }
}

/// Length of a round.
const ROUND_SECS: i32 = 300;

fn n_rounds(secs: i32) -> i32 {
    (secs.max(1) + ROUND_SECS - 1) / ROUND_SECS
}

fn spread(totals: &[RoundCounts; 2], secs: i32) -> Vec<RoundFact> {
    let n = n_rounds(secs);
    let part = |total: i32, round: i32| total / n + if round == 1 { total % n } else { 0 };
    let round = |round: i32| {
        let secs = if round < n { ROUND_SECS } else { secs - (n - 1) * ROUND_SECS };
        let counts = [0, 1].map(|side: usize| {
            let mut counts = RoundCounts::with_control(totals[side].control_secs.map(|c| part(c, round)));
            Count::ALL.into_iter().for_each(|c| counts[c] = part(totals[side][c], round));
            counts
        });
        RoundFact { round, secs: Some(secs), is_whole: secs == ROUND_SECS, counts }
    };
    (1..=n).map(round).collect()
}

/// The words behind a fighter's name, up to the next fighter's.
fn counts(name: &str, names: &[&str; 2], words: &[&str]) -> RoundCounts {
    let mut counts = RoundCounts::default();
    let own = words.iter().skip_while(|w| **w != name).skip(1).take_while(|w| !names.contains(w));
    let mut own = own.copied();
    while let Some(word) = own.next() {
        match word {
            "ctrl" => counts.control_secs = own.next().map(number),
            "kd" => counts[Count::Knockdowns] = own.next().map_or(0, number),
            "sub" => counts[Count::SubAttempts] = own.next().map_or(0, number),
            "td" => {
                let (landed, attempted) = pair(own.next().unwrap_or_default());
                counts[Count::TdLanded] = landed;
                counts[Count::TdAttempted] = attempted;
            }
            strikes => strike(&mut counts, pair(strikes)),
        }
    }
    counts
}

fn strike(counts: &mut RoundCounts, (landed, attempted): (i32, i32)) {
    for count in [Count::SigLanded, Count::TotalLanded, Count::HeadLanded, Count::DistanceLanded] {
        counts[count] = landed;
    }
    for count in [Count::SigAttempted, Count::TotalAttempted, Count::HeadAttempted, Count::DistanceAttempted]
    {
        counts[count] = attempted;
    }
}

fn pair(word: &str) -> (i32, i32) {
    let (landed, attempted) = word.split_once('/').unwrap_or_else(|| panic!("`{word}` is no n/m"));
    (number(landed), number(attempted))
}

fn number(word: &str) -> i32 {
    word.parse().unwrap_or_else(|_| panic!("`{word}` is no number"))
}
