//! Seasons of an invented soccer league, for the multi-sport catalog: files as the open football data have them, one a
//! season, each a list of matches.

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::names::NameBook;
use crate::random::Rng;
use crate::{SampleCapture, SampleFile};

const CLUBS: usize = 8;

/// A season: its file, the name of the league in it, and the day of its first round.
type Season = (&'static str, &'static str, NaiveDate);

const SEASONS: [Season; 2] = [
    ("2024-25-en.1.json", "Invented League 2024/25", calendar_day(2024, 8, 17)),
    ("2025-26-en.1.json", "Invented League 2025/26", calendar_day(2025, 8, 16)),
];

/// Captures of the source `soccer-leagues`: in the first the newer season is under way, in the second it is four rounds
/// further.
#[must_use]
pub fn catalog_captures(seed: u64) -> Vec<SampleCapture> {
    let clubs = club_names(seed);
    let capture = |date: &'static str, until: NaiveDate| SampleCapture {
        source: "soccer-leagues",
        date,
        is_later: false,
        files: SEASONS.iter().map(|season| season_file(seed, season, &clubs, until)).collect(),
    };
    vec![capture("2025-10-01", calendar_day(2025, 10, 1)), capture("2025-11-01", calendar_day(2025, 11, 1))]
}

const fn calendar_day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a day of the calendar")
}

fn club_names(seed: u64) -> Vec<String> {
    let (mut rng, mut names) = (Rng::stream(seed, "clubs", 0), NameBook::default());
    (0..CLUBS).map(|_| format!("{} FC", names.next_name(&mut rng).1)).collect()
}

/// All matches of a season, with the scores of those before a day.
fn season_file(seed: u64, (name, title, first): &Season, clubs: &[String], until: NaiveDate) -> SampleFile {
    let matches = round_robin().enumerate().flat_map(|(round, pairs)| {
        let on = *first + Days::new(7 * round as u64);
        let of_pair = move |(place, [home, away]): (usize, [usize; 2])| {
            let mut found = json!({
                "round": format!("Matchday {}", round + 1),
                "date": on.to_string(),
                "time": "15:00",
                "team1": clubs[home],
                "team2": clubs[away],
            });
            if on < until {
                found["score"] = draw_score(&mut Rng::stream(seed, name, round * CLUBS + place));
            }
            found
        };
        pairs.into_iter().enumerate().map(of_pair).collect::<Vec<_>>()
    });
    let text = json!({"name": title, "matches": matches.collect::<Vec<_>>()});
    SampleFile { name, content: format!("{text:#}\n") }
}

/// Each against each, at home and away: one club stays in its place, the others turn around it.
fn round_robin() -> impl Iterator<Item = Vec<[usize; 2]>> {
    let turns = CLUBS - 1;
    (0..2 * turns).map(move |round| {
        let at = |place: usize| if place == 0 { 0 } else { 1 + (place - 1 + round) % turns };
        let pairs = (0..CLUBS / 2).map(|place| [at(place), at(CLUBS - 1 - place)]);
        // The fixed club would stay at home otherwise.
        pairs.map(|[a, b]| if round % 2 == 0 { [a, b] } else { [b, a] }).collect()
    })
}

fn draw_score(rng: &mut Rng) -> Value {
    let full_time = [rng.draw_count(1600), rng.draw_count(1200)];
    let half_time = full_time.map(|goals| rng.draw_successes(goals, 450));
    json!({"ht": half_time, "ft": full_time})
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_club_meets_each_other_at_home_and_away_once() {
        let pairs: Vec<[usize; 2]> = round_robin().flatten().collect();
        let unique: BTreeSet<_> = pairs.iter().collect();
        assert_eq!((pairs.len(), unique.len()), (CLUBS * (CLUBS - 1), CLUBS * (CLUBS - 1)));
        assert!(pairs.iter().all(|[home, away]| home != away));
        assert!(round_robin().all(|round| round.iter().flatten().collect::<BTreeSet<_>>().len() == CLUBS));
    }

    #[test]
    fn a_later_capture_repeats_what_was_played_and_adds_to_it() {
        let played = |capture: &SampleCapture| -> Vec<Value> {
            let text: Vec<Value> =
                capture.files.iter().map(|f| serde_json::from_str(&f.content).unwrap()).collect();
            let matches = text.iter().flat_map(|file| file["matches"].as_array().unwrap().clone());
            matches.filter(|one| one.get("score").is_some()).collect()
        };
        let [first, second] = &catalog_captures(7)[..] else { panic!("two captures") };
        let (first, second) = (played(first), played(second));
        assert_eq!((first.len(), second.len()), (84, 100));
        assert!(first.iter().all(|one| second.contains(one)));
    }
}
