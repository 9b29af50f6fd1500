//! Any row that is edited, removed or put elsewhere is found and named.

use fdna_ledger::{LedgerEntry, StateField, find_faults};
use proptest::prelude::*;

use crate::rows::replayed;
use crate::script::parse;

fn rows() -> Vec<LedgerEntry> {
    let captures = parse(
        "01-01 00:00 cards fight 01-18 23:00: A-B 1, C-D 2
         01-16 00:00 cards fight 01-18 23:00: A-E 1, C-D 3
         01-20 06:00 stats fight: A-E win A ko_tko, C-D draw",
    );
    replayed(&captures, "01-01 00:00", "02-28 00:00").1
}

/// Changes one thing of a row.
fn edit(entry: &mut LedgerEntry, what: usize) {
    match what % 10 {
        0 => entry.state.set(StateField::BoutOrder, 9),
        1 => entry.valid_at += chrono::TimeDelta::milliseconds(1),
        2 => entry.sequence += 1,
        3 => entry.hours_to_start = entry.hours_to_start.map(|hours| hours + 0.5),
        4 => entry.sources[0].status = "unavailable!".to_owned(),
        5 => entry.is_baseline = !entry.is_baseline,
        6 => std::mem::swap(&mut entry.bout_id, &mut entry.event_id),
        7 => entry.supersedes = entry.supersedes.is_none().then_some(entry.bout_id),
        8 => {
            entry.state_digest.replace_range(..1, if entry.state_digest.starts_with('0') { "1" } else { "0" })
        }
        _ => entry.ledger_id = entry.bout_id,
    }
}

proptest! {
    #[test]
    fn an_edited_row_is_named(row in 0..1000usize, what in 0..10usize) {
        let mut entries = rows();
        let row = row % entries.len();
        edit(&mut entries[row], what);
        let found = find_faults(&entries, None);
        prop_assert_eq!(found.iter().map(|fault| fault.row).collect::<Vec<_>>(), vec![row + 1]);
    }

    #[test]
    fn a_row_removed_or_moved_is_found_where_it_was(row in 0..1000usize, to in 0..1000usize) {
        let whole = rows();
        let (row, to) = (row % whole.len(), to % whole.len());
        let head = whole.last().unwrap().row_digest.clone();
        let mut entries = whole.clone();
        let taken = entries.remove(row);
        let found = find_faults(&entries, Some(&head));
        prop_assert_eq!(found.first().map(|fault| fault.row), Some((row + 1).min(entries.len())));
        entries.insert(to, taken);
        prop_assert_eq!(find_faults(&entries, Some(&head)).is_empty(), row == to);
    }
}
