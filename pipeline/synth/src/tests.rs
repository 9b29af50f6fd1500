//! Promises of the sample: the same bytes, the stated sizes, sound bouts, every oddity.

mod invariants;
mod later;
mod oddities;
mod real_names;
mod sheet;

use std::collections::HashMap;
use std::path::PathBuf;

use self::sheet::Capture;
use super::{SAMPLE_SEED, SampleFile, generate_later, generate_sample, sample_captures};

/// The checked-in seed and a few that nobody looked at.
const SEEDS: [u64; 4] = [SAMPLE_SEED, 1, 2, u64::MAX];

fn sample() -> Capture {
    Capture::read(&generate_sample(SAMPLE_SEED))
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert_eq!(generate_sample(SAMPLE_SEED), generate_sample(SAMPLE_SEED));
    assert_eq!(generate_later(SAMPLE_SEED), generate_later(SAMPLE_SEED));
    assert_ne!(generate_sample(1), generate_sample(2));
}

#[test]
fn the_checked_in_sample_is_what_the_generator_makes() {
    for capture in sample_captures(SAMPLE_SEED) {
        for SampleFile { name, content } in &capture.files {
            let path = sample_folder().join(capture.folder()).join(name);
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == *content, "{} is out of date", path.display());
        }
    }
}

#[test]
fn the_readme_names_every_bad_row() {
    let readme = std::fs::read_to_string(sample_folder().join("README.md")).unwrap_or_default();
    let capture = sample();
    let bad = invariants::unsound_bouts(&capture);
    let unreadable = capture.results.find("TIME", "x:59");
    let twice = invariants::listed_twice(&capture);
    assert_eq!((bad.len(), unreadable.len(), twice.len()), (2, 1, 1));
    let bouts = bad.into_iter().map(|(bout, _)| bout);
    let time = unreadable.iter().map(|row| sheet::tidy(&row["BOUT"]));
    for place in bouts.chain(time).chain(twice) {
        assert!(readme.contains(&place), "the README does not name {place}");
    }
}

#[test]
fn the_readme_lists_every_oddity() {
    let readme = std::fs::read_to_string(sample_folder().join("README.md")).unwrap_or_default();
    for (name, meaning) in super::edge_cases::QUIRKS.iter().chain(super::edge_cases::BAD_ROWS) {
        let line = format!("| {name} | {meaning} |");
        assert!(readme.contains(&line), "the README lacks {line}");
    }
}

#[test]
fn the_sample_has_the_stated_size() {
    for seed in SEEDS {
        let capture = Capture::read(&generate_sample(seed));
        assert_eq!(capture.events.rows.len(), 30, "seed {seed}");
        assert_eq!(capture.tape.rows.len(), 250, "seed {seed}");
        assert_eq!(capture.index.rows.len(), 251, "seed {seed}");
        assert!((300..=380).contains(&capture.results.rows.len()));
        let per_event = count(capture.results.rows.iter().map(|row| row["EVENT"].clone()));
        assert!(per_event.values().all(|n| (8..=14).contains(n)));
    }
}

#[test]
fn some_fighters_have_many_bouts_and_many_have_few() {
    let capture = sample();
    let bouts = count(capture.results.rows.iter().flat_map(sheet::names));
    let in_range = |low, high| bouts.values().filter(|n| (low..=high).contains(*n)).count();
    assert!(in_range(10, 99) >= 8, "{}", in_range(10, 99));
    assert!(in_range(1, 3) >= 120, "{}", in_range(1, 3));
}

fn count(items: impl Iterator<Item = String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

fn sample_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// The files of a scaled capture, as they are written.
fn scaled(scale: usize) -> HashMap<&'static str, String> {
    let mut files: HashMap<&'static str, String> = HashMap::new();
    let write = |name, rows: &str| {
        files.entry(name).or_default().push_str(rows);
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(()) = super::write_scaled_capture(SAMPLE_SEED, scale, write);
    files
}

#[test]
fn a_league_is_as_large_as_the_real_history() {
    let files = scaled(1);
    let rows = |name: &str| files[name].lines().count() - 1;
    assert_eq!(rows("ufc_event_details.csv"), 752);
    assert_eq!(rows("ufc_fighter_tott.csv"), 4_448);
    assert!((8_000..9_500).contains(&rows("ufc_fight_results.csv")), "{}", rows("ufc_fight_results.csv"));
    assert!((36_000..46_000).contains(&rows("ufc_fight_stats.csv")), "{}", rows("ufc_fight_stats.csv"));
}

#[test]
fn leagues_have_no_name_event_or_bout_in_common_and_the_first_does_not_change_with_the_scale() {
    let (one, three) = (scaled(1), scaled(3));
    for (name, text) in &one {
        assert!(three[name].starts_with(text), "{name}");
    }
    for name in ["ufc_event_details.csv", "ufc_fight_details.csv", "ufc_fighter_tott.csv"] {
        let rows: Vec<&str> = three[name].lines().collect();
        let column = if name == "ufc_fight_details.csv" { 2 } else { 0 };
        let of = |row: &&str| row.split(',').nth(column).unwrap().to_owned();
        let distinct: std::collections::HashSet<String> = rows.iter().map(of).collect();
        assert_eq!(distinct.len(), rows.len(), "{name}");
    }
}
