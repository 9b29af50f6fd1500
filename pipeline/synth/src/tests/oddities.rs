//! One check for every entry of the list of oddities.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::SEEDS;
use super::sheet::{Capture, Row, Sheet, names, secs, tidy};
use crate::edge_cases::{BAD_ROWS, QUIRKS};
use crate::generate_sample;

type Check = fn(&Capture) -> bool;

const CHECKS: &[(&str, Check)] = &[
    ("trailing spaces", |c| {
        c.results
            .rows
            .iter()
            .all(|row| ["EVENT", "BOUT", "METHOD"].iter().all(|column| row[*column].ends_with(' ')))
            && c.rounds.column("EVENT").all(|text| text.trim() == text)
    }),
    ("double space", |c| {
        c.results.column("BOUT").all(|text| text.contains("  vs. "))
            && !c.details.any(|row| row["BOUT"].contains("  "))
            && !c.rounds.any(|row| row["BOUT"].contains("  "))
    }),
    ("reversed bout", |c| {
        let pairs = c.results.rows.iter().zip(&c.details.rows);
        pairs.into_iter().any(|(result, details)| {
            let mut listed = names(result);
            listed.reverse();
            listed == names(details)
        })
    }),
    ("all outcomes", |c| has_just(&c.results, "OUTCOME", &["W/L", "L/W", "D/D", "NC/NC"])),
    ("all methods", |c| has_just(&c.results, "METHOD", METHODS)),
    ("loser's score first", |c| {
        let is_won = |row: &&Row| row["OUTCOME"] == "W/L" || row["OUTCOME"] == "L/W";
        c.results.rows.iter().filter(is_won).all(|row| {
            let cards = scores(&row["DETAILS"]);
            let n_for_winner = cards.iter().filter(|(loser, winner)| loser < winner).count();
            cards.is_empty() || n_for_winner >= 2
        })
    }),
    ("glued deduction", |c| {
        c.results.column("DETAILS").any(|text| {
            let rest = text.strip_prefix("Point Deducted: Low Blow by ");
            // Lower case, capital: the end of the fighter's name and the start of the judge's.
            rest.is_some_and(|rest| {
                let letters: Vec<char> = rest.chars().collect();
                letters.windows(2).any(|two| two[0].is_lowercase() && two[1].is_uppercase())
            })
        })
    }),
    ("judges' names", |c| {
        ["Jr. ", "D'", " van ", "Tiddle Marnkwop "].iter().all(|part| {
            let is_scored = |text: &str| text.contains(part) && !scores(text).is_empty();
            c.results.column("DETAILS").any(is_scored)
        })
    }),
    ("nameless judges", |c| {
        let is_nameless = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
        c.results.column("DETAILS").any(is_nameless)
    }),
    ("decision without scores", |c| {
        c.results.any(|row| row["METHOD"].starts_with("Decision") && row["DETAILS"].is_empty())
    }),
    ("all formats", |c| has_just(&c.results, "TIME FORMAT", FORMATS)),
    ("long rounds", |c| {
        let is_long = |row: &Row| secs(&row["TIME"]).is_some_and(|secs| secs > 600);
        ["No Time Limit", "1 Rnd (20)", "1 Rnd + OT (12-3)"]
            .iter()
            .all(|format| c.results.any(|row| row["TIME FORMAT"] == *format && is_long(row)))
    }),
    ("control unknown", |c| {
        let early: HashSet<&str> =
            c.events.rows.iter().rev().take(2).map(|row| row["EVENT"].as_str()).collect();
        let with_numbers = c.rounds.rows.iter().filter(|row| !row["KD"].is_empty());
        with_numbers.into_iter().all(|row| {
            let is_early = early.contains(row["EVENT"].as_str());
            (row["CTRL"] == "--") == is_early && (is_early || secs(&row["CTRL"]).is_some())
        })
    }),
    ("no attempts", |c| {
        ["SIG.STR.", "TD"].iter().all(|column| {
            let share = format!("{column} %");
            let is_right = |row: &Row| row[*column].ends_with(" of 0") == (row[&share] == "---");
            c.rounds.any(|row| row[&share] == "---")
                && c.rounds.any(|row| row[&share].ends_with('%'))
                && c.rounds.rows.iter().all(is_right)
        })
    }),
    ("decimal counts", |c| {
        ["KD", "SUB.ATT", "REV."].iter().all(|column| {
            c.rounds.column(column).all(|text| text.is_empty() || text.ends_with(".0"))
                && c.rounds.column(column).any(|text| text == "1.0")
        })
    }),
    ("no statistics", |c| {
        let is_empty = |row: &&Row| {
            let n_empty = row.values().filter(|text| text.is_empty()).count();
            n_empty == row.len() - 2 && !row["EVENT"].is_empty() && !row["BOUT"].is_empty()
        };
        c.rounds.rows.iter().filter(is_empty).count() == 4
    }),
    ("namesakes", has_namesakes),
    ("rename", has_rename),
    ("no first name", |c| {
        c.index.any(|row| row["FIRST"].is_empty())
            && c.results.any(|row| row["BOUT"].contains("  vs.  ") || row["BOUT"].starts_with(' '))
    }),
    ("two-word last name", |c| c.index.any(|row| row["LAST"].contains(' '))),
    ("unknown body", |c| {
        ["HEIGHT", "WEIGHT", "REACH", "DOB"]
            .iter()
            .all(|column| c.tape.column(column).any(|text| text == "--"))
    }),
    ("all stances", |c| has_just(&c.tape, "STANCE", &["Orthodox", "Southpaw", "Switch", "Open Stance", ""])),
    ("no nickname", |c| {
        let n = c.index.column("NICKNAME").filter(|text| text.is_empty()).count();
        n > 50 && n < c.index.rows.len() - 50
    }),
    ("quoted fields", |c| {
        let tape = &c.texts["ufc_fighter_tott.csv"];
        tape.contains(",\"6' 0\"\"\",")
            && tape.contains("\"\"\",Orthodox,\"")
            && c.texts["ufc_event_details.csv"].contains(",\"October 25, 2025\",\"")
    }),
    ("places", |c| {
        let parts: BTreeSet<usize> =
            c.events.column("LOCATION").map(|place| place.split(", ").count()).collect();
        parts == BTreeSet::from([2, 3])
    }),
    ("women's divisions", |c| {
        ["Strawweight", "Flyweight", "Bantamweight"].iter().all(|class| {
            let text = format!("Women's {class} Bout");
            !c.results.find("WEIGHTCLASS", &text).is_empty()
        })
    }),
    ("class texts", |c| {
        CLASS_TEXTS.iter().all(|text| c.results.column("WEIGHTCLASS").any(|class| class.contains(text)))
            && c.results.column("WEIGHTCLASS").filter(|class| class.contains("TitleBout")).count() == 1
    }),
    ("index only", |c| {
        let with_bouts: HashSet<String> = c.results.rows.iter().flat_map(names).collect();
        let is_only = |row: &&Row| !with_bouts.contains(&full_name(row));
        c.index.rows.iter().filter(is_only).count() >= 10
    }),
    ("twice in one night", |c| {
        let mut seen = HashSet::new();
        c.results.rows.iter().any(|row| {
            let mut pair = names(row);
            pair.sort();
            !seen.insert((row["EVENT"].clone(), pair))
        })
    }),
    ("no referee", |c| c.results.column("REFEREE").any(str::is_empty)),
];

const METHODS: &[&str] = &[
    "KO/TKO ",
    "TKO - Doctor's Stoppage ",
    "Submission ",
    "Decision - Unanimous ",
    "Decision - Split ",
    "Decision - Majority ",
    "DQ ",
    "Overturned ",
    "Could Not Continue ",
    "Other ",
];

const FORMATS: &[&str] = &[
    "3 Rnd (5-5-5)",
    "5 Rnd (5-5-5-5-5)",
    "1 Rnd + OT (12-3)",
    "No Time Limit",
    "1 Rnd (20)",
    "3 Rnd + OT (5-5-5-5)",
    "1 Rnd + 2OT (15-3-3)",
    "2 Rnd (5-5)",
];

const CLASS_TEXTS: &[&str] = &[
    "Lightweight Bout",
    "UFC Heavyweight Title Bout",
    "UFC Interim ",
    "Ultimate Fighter 9 Welterweight Tournament Title Bout",
    "Tournament TitleBout",
    "Catch Weight Bout",
    "Open Weight Bout",
];

/// The column has these texts and no others.
fn has_just(sheet: &Sheet, column: &str, texts: &[&str]) -> bool {
    let found: BTreeSet<&str> = sheet.column(column).collect();
    found == texts.iter().copied().collect()
}

/// The totals in a text of cards, in the order written.
fn scores(details: &str) -> Vec<(u32, u32)> {
    details
        .split('.')
        .filter_map(|card| {
            let words: Vec<&str> = card.split_whitespace().collect();
            let [.., one, "-", other] = words[..] else {
                return None;
            };
            Some((one.parse().ok()?, other.parse().ok()?))
        })
        .collect()
}

fn full_name(row: &Row) -> String {
    tidy(&format!("{} {}", row["FIRST"], row["LAST"]))
}

/// One name, two addresses, birthdays ten years apart at least, bouts in two divisions.
fn has_namesakes(capture: &Capture) -> bool {
    let mut by_name: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in &capture.tape.rows {
        by_name.entry(&row["FIGHTER"]).or_default().push(row);
    }
    by_name.retain(|_, rows| rows.len() > 1);
    let year = |row: &Row| row["DOB"][row["DOB"].len() - 4..].parse::<u32>().unwrap_or(0);
    by_name.len() == 1
        && by_name.iter().all(|(name, rows)| {
            let is_theirs = |row: &&Row| names(row).iter().any(|other| other == name);
            let classes: HashSet<&str> = capture
                .results
                .rows
                .iter()
                .filter(is_theirs)
                .map(|row| row["WEIGHTCLASS"].as_str())
                .collect();
            year(rows[0]).abs_diff(year(rows[1])) >= 10
                && classes.contains("Flyweight Bout")
                && classes.contains("Heavyweight Bout")
        })
}

/// One address under two names: the new one in the results, the old one in the rounds.
fn has_rename(capture: &Capture) -> bool {
    let new_names: HashMap<&str, String> =
        capture.index.rows.iter().map(|row| (row["URL"].as_str(), full_name(row))).collect();
    let renamed: Vec<(&str, &String)> = capture
        .tape
        .rows
        .iter()
        .map(|row| (row["FIGHTER"].as_str(), &new_names[row["URL"].as_str()]))
        .filter(|(old, new)| old != new)
        .collect();
    let occurs = |sheet: &Sheet, name: &str| sheet.any(|row| names(row).iter().any(|other| other == name));
    renamed.len() == 1
        && renamed.iter().all(|(old, new)| {
            occurs(&capture.results, new)
                && occurs(&capture.details, new)
                && !occurs(&capture.results, old)
                && occurs(&capture.rounds, old)
                && !occurs(&capture.rounds, new)
        })
}

#[test]
fn every_oddity_of_the_list_has_a_check() {
    let listed: Vec<&str> = QUIRKS.iter().map(|(name, _)| *name).collect();
    let checked: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, checked);
    assert_eq!(BAD_ROWS.len(), 4);
}

#[test]
fn every_oddity_occurs_whatever_the_seed() {
    for seed in SEEDS {
        let capture = Capture::read(&generate_sample(seed));
        for (name, occurs) in CHECKS {
            assert!(occurs(&capture), "{name} is missing with seed {seed}");
        }
    }
}
