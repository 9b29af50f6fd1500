//! Nobody in the sample is a real person.
//!
//! Compares with the real captures, which are not part of the repository: the folder that
//! `FIGHTDNA_REAL_DATA` names, or `shared/data` beside the workspace. Without them there is
//! nothing to compare with, which only continuous integration treats as a failure.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::sheet::{Sheet, names, tidy};
use crate::names::{JUDGES, NICKNAMES, REFEREES, all_last_names};

/// The captures' folders, if they are here.
fn real_captures() -> Option<Vec<PathBuf>> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let root = std::env::var_os("FIGHTDNA_REAL_DATA").map_or_else(default, PathBuf::from);
    let Ok(folders) = std::fs::read_dir(root.join("statsdb-csv")) else {
        let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!is_ci, "the real captures are missing");
        return None;
    };
    let folders = folders.filter_map(Result::ok).map(|folder| folder.path());
    Some(folders.filter(|path| path.is_dir()).collect())
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a file of a real capture")
}

/// Full names, last names, nicknames and events, in small letters.
fn real_words(folder: &Path) -> HashSet<String> {
    let sheet = |name| Sheet::parse(&read(folder, name));
    let [index, tape, details, results, events] = [
        "ufc_fighter_details.csv",
        "ufc_fighter_tott.csv",
        "ufc_fight_details.csv",
        "ufc_fight_results.csv",
        "ufc_event_details.csv",
    ]
    .map(sheet);
    let mut words: Vec<String> = vec![];
    words.extend(index.column("LAST").map(tidy));
    words.extend(index.column("NICKNAME").map(tidy));
    words.extend(index.rows.iter().map(|row| tidy(&format!("{} {}", row["FIRST"], row["LAST"]))));
    words.extend(tape.column("FIGHTER").map(tidy));
    words.extend(details.rows.iter().chain(&results.rows).flat_map(names));
    words.extend(results.column("REFEREE").map(tidy));
    words.extend(events.column("EVENT").map(tidy));
    words.iter().map(|word| word.to_lowercase()).collect()
}

#[test]
fn no_name_that_the_tables_can_make_is_a_real_fighters() {
    for folder in real_captures().unwrap_or_default() {
        let real = real_words(&folder);
        assert!(real.len() > 4000, "{} is not a capture", folder.display());
        let invented = all_last_names();
        let others = NICKNAMES.iter().chain(REFEREES).chain(JUDGES);
        for name in invented.iter().map(String::as_str).chain(others.copied()) {
            assert!(!real.contains(&name.to_lowercase()), "{name} is real");
        }
    }
}

#[test]
fn no_full_name_or_event_of_the_sample_is_real() {
    let sample = super::sample();
    let mut invented: HashSet<String> = HashSet::new();
    invented.extend(sample.tape.column("FIGHTER").map(tidy));
    invented.extend(sample.results.rows.iter().flat_map(names));
    invented.extend(sample.events.column("EVENT").map(tidy));
    for folder in real_captures().unwrap_or_default() {
        let real = real_words(&folder);
        for name in &invented {
            assert!(!real.contains(&name.to_lowercase()), "{name} is real");
        }
    }
}

#[test]
fn no_official_of_the_sample_scored_a_real_bout() {
    for folder in real_captures().unwrap_or_default() {
        let results = read(&folder, "ufc_fight_results.csv");
        for name in JUDGES.iter().chain(REFEREES) {
            assert!(!results.contains(name), "{name} is real");
        }
    }
}
