//! The later capture differs from the first in six ways and no other.

use std::collections::HashMap;

use super::SEEDS;
use super::sheet::{Capture, Row, Sheet, tidy};
use crate::{generate_later, generate_sample};

/// Rows of the later capture that differ from the row of that address in the first: column,
/// before, after. New addresses are left out.
fn changes<'a>(before: &'a Sheet, after: &'a Sheet) -> Vec<(&'a str, &'a str, &'a str)> {
    let old: HashMap<&str, &Row> = before.rows.iter().map(|row| (row["URL"].as_str(), row)).collect();
    let mut changes: Vec<_> = after
        .rows
        .iter()
        .filter_map(|row| Some((row, *old.get(row["URL"].as_str())?)))
        .flat_map(|(new, old)| {
            new.iter()
                .filter(|(column, text)| old[*column] != **text)
                .map(|(column, text)| (column.as_str(), old[column].as_str(), text.as_str()))
        })
        .collect();
    changes.sort_unstable();
    changes
}

fn captures(seed: u64) -> [Capture; 2] {
    [generate_sample(seed), generate_later(seed)].map(|files| Capture::read(&files))
}

#[test]
fn there_is_one_more_event_on_top() {
    for seed in SEEDS {
        let [before, after] = captures(seed);
        assert_eq!(after.events.rows.len(), before.events.rows.len() + 1);
        assert_eq!(after.events.rows[0]["DATE"], "November 22, 2025");
        assert!(changes(&before.events, &after.events).is_empty());
    }
}

#[test]
fn one_result_is_overturned_and_one_fighter_renamed() {
    for seed in SEEDS {
        let [before, after] = captures(seed);
        let changed = changes(&before.results, &after.results);
        let outcomes: Vec<_> = changed.iter().filter(|row| row.0 != "BOUT").collect();
        assert_eq!(outcomes.len(), 3, "{outcomes:?}");
        assert_eq!(*outcomes[1], ("METHOD", "Submission ", "Overturned "));
        assert_eq!(outcomes[2].2, "NC/NC");
        assert!(outcomes[0].2.starts_with("Arm Triangle win for "));

        let n_renamed = changed.len() - outcomes.len();
        assert!(n_renamed > 0, "the renamed fighter has no bout");
        let index = changes(&before.index, &after.index);
        assert_eq!(index.iter().filter(|row| row.0 == "FIRST").count(), 1);
        assert!(index.iter().all(|row| row.0 != "LAST"));
    }
}

#[test]
fn a_nickname_is_gone_and_a_reach_is_filled_in() {
    for seed in SEEDS {
        let [before, after] = captures(seed);
        let index = changes(&before.index, &after.index);
        let nicknames: Vec<_> = index.iter().filter(|row| row.0 == "NICKNAME").collect();
        assert_eq!(*nicknames, [&("NICKNAME", "The Placeholder", "")]);
        let [(column, old, _)] = changes(&before.tape, &after.tape)[..] else {
            panic!("the tale of the tape changed otherwise");
        };
        assert_eq!((column, old), ("REACH", "--"));
    }
}

#[test]
fn statistics_come_late_for_one_bout_and_no_other_row_changes() {
    for seed in SEEDS {
        let [before, after] = captures(seed);
        let newest = tidy(&after.events.rows[0]["EVENT"]);
        let old_bouts: Vec<&Row> = after.rounds.rows.iter().filter(|row| row["EVENT"] != newest).collect();
        let is_new = |row: &&&Row| !before.rounds.rows.contains(row);
        let added: Vec<_> = old_bouts.iter().filter(is_new).collect();
        assert!(!added.is_empty());
        assert!(added.iter().all(|row| row["BOUT"] == added[0]["BOUT"]));
        assert_eq!(old_bouts.len() + 2, before.rounds.rows.len() + added.len());
    }
}
