//! Cursor of a page, a text that means something only with its own query and snapshot.

use std::fmt::Write as _;

use fdna_api::Failure;
use fdna_api::operations::parameters::{CURSOR, LIMIT, OFFSET, SNAPSHOT};
use sha2::{Digest as _, Sha256};

use super::OperationRequest;
use fdna_api::must_be;

/// What may differ between the pages of one query: whoever begins without naming the snapshot can go on by it.
const OF_A_PAGE: [&str; 4] = [CURSOR.name(), LIMIT.name(), OFFSET.name(), SNAPSHOT.name()];

/// The place at which the asked page of a list begins, which is of a snapshot or of a head of the ledger.
pub(crate) fn start(of: &str, request: &OperationRequest) -> Result<Option<usize>, Failure> {
    let Some(text) = request.params.get(CURSOR) else { return Ok(None) };
    let allowed = "the `next_cursor` of an answer to the same query on the same snapshot: begin again without it, \
                   or name the snapshot of the pages before by `snapshot`";
    read(text, of, &query(request)).map(Some).ok_or_else(|| must_be(CURSOR.name(), allowed))
}

/// The cursor of the page that begins at a place.
pub(crate) fn next(of: &str, request: &OperationRequest, place: usize) -> String {
    write(place, of, &query(request))
}

/// What is asked, whichever page of it.
fn query(request: &OperationRequest) -> String {
    let query = request.params.normalised_without(&OF_A_PAGE);
    format!("{} {:?} {query}", request.operation.name, request.ids)
}

/// A cursor: the place in eight hex digits, and sixteen of a digest over the place, query and snapshot.
fn write(place: usize, snapshot_id: &str, query: &str) -> String {
    let mut digest = Sha256::new();
    for part in [&place.to_string(), snapshot_id, query] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    let mut text = format!("{place:08x}");
    for byte in digest.finalize().iter().take(8) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The place of a cursor that `write` wrote for this query and snapshot.
fn read(text: &str, snapshot_id: &str, query: &str) -> Option<usize> {
    let place = usize::from_str_radix(text.get(..8)?, 16).ok()?;
    (write(place, snapshot_id, query) == text).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_holds_for_its_own_query_and_snapshot_and_no_digit_can_be_changed() {
        let cursor = write(50, "s1", "q");
        assert_eq!((cursor.len(), read(&cursor, "s1", "q")), (24, Some(50)));
        assert_eq!((read(&cursor, "s2", "q"), read(&cursor, "s1", "q2")), (None, None));
        for i in 0..cursor.len() {
            let other = if &cursor[i..=i] == "0" { "1" } else { "0" };
            let changed = format!("{}{other}{}", &cursor[..i], &cursor[i + 1..]);
            assert_eq!(read(&changed, "s1", "q"), None, "{changed}");
        }
        for text in ["", "50", "0000003é", "+0000032", "00000032"] {
            assert_eq!(read(text, "s1", "q"), None, "{text}");
        }
    }
}
