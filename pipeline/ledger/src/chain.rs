//! Verifies that rows are what was written, all of them, in their order.

use uuid::Uuid;

use crate::LedgerEntry;

/// Something wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainFault {
    /// Place of the row, from 1.
    pub row: usize,
    pub ledger_id: Uuid,
    pub bout_id: Uuid,
    /// The fault, as a fragment.
    pub what: String,
}

/// Every row that was edited, and every place at which rows were removed, added or put in another order.
/// `head` is the digest that the last row must have, where it is known from elsewhere.
#[must_use]
pub fn find_faults(entries: &[LedgerEntry], head: Option<&str>) -> Vec<ChainFault> {
    let mut found = Vec::new();
    let mut before = "";
    for (i, entry) in entries.iter().enumerate() {
        let fault = |what: &str| ChainFault {
            row: i + 1,
            ledger_id: entry.ledger_id,
            bout_id: entry.bout_id,
            what: format!("{} {} of bout {}: {what}", entry.checkpoint, entry.sequence, entry.bout_id),
        };
        found.extend(describe_edit(entry).map(fault));
        if entry.prev_digest != before {
            found.push(fault("does not follow the row before it: a row was removed, added or moved here"));
        }
        before = &entry.row_digest;
    }
    if let Some(head) = head.filter(|head| *head != before) {
        let last = entries.last();
        found.push(ChainFault {
            row: entries.len(),
            ledger_id: last.map(|entry| entry.ledger_id).unwrap_or_default(),
            bout_id: last.map(|entry| entry.bout_id).unwrap_or_default(),
            what: format!("is the last row, but the ledger ended with digest {head}: rows are missing"),
        });
    }
    found
}

/// Description of a row's difference from its seal.
fn describe_edit(entry: &LedgerEntry) -> Option<&'static str> {
    if entry.digest_of_state() != entry.state_digest {
        return Some("its state is not the one that was sealed");
    }
    if entry.digest_of_row() != entry.row_digest {
        return Some("the row is not the one that was sealed");
    }
    (entry.id_of_row() != entry.ledger_id).then_some("its id is not the one of its digest")
}
