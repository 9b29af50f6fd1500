//! Entries of one calendar that share a `UID`: they are revisions of one event (RFC 5545, 3.8.7), and the newest counts.

use std::collections::HashMap;

use fdna_model::FindingKind;

use super::CalendarEntry;
use super::property::value;
use crate::record_files::LocatedRows;
use crate::row::RowError;

/// By `SEQUENCE`, then by the time at which it was changed, which is `LAST-MODIFIED` or else `DTSTAMP`. Times of one form
/// sort as text.
fn revision(entry: &CalendarEntry<'_>) -> (u32, Option<String>) {
    let sequence = value(entry.component, "SEQUENCE").and_then(|text| text.parse().ok()).unwrap_or(0);
    (sequence, value(entry.component, "LAST-MODIFIED").or_else(|| value(entry.component, "DTSTAMP")))
}

/// The entry of each `UID` that counts: of those that can be read the newest, of equally new ones the first.
pub(super) fn newest<'e>(entries: &'e [CalendarEntry<'_>]) -> HashMap<&'e str, usize> {
    let mut newest: HashMap<&str, usize> = HashMap::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_event) {
        let own = newest.entry(entry.id()).or_insert(at);
        if revision(entry) > revision(&entries[*own]) {
            *own = at;
        }
    }
    newest
}

/// Sets the entry and its lines aside: with a note what the kept one states too, or replaces; else as a contradiction.
pub(super) fn set_aside(entry: &CalendarEntry<'_>, kept: &CalendarEntry<'_>, records: &mut LocatedRows<'_>) {
    let (id, line) = (entry.id(), kept.at.begin);
    let is_older = revision(entry) < revision(kept);
    let refusal = |is_same: bool| match (is_same, is_older) {
        (true, _) => RowError::note(FindingKind::Duplicate, format!("line {line} lists the same of `{id}`")),
        (false, true) => RowError::note(
            FindingKind::Duplicate,
            format!("an older revision of `{id}`: the one of line {line} replaces it"),
        ),
        (false, false) => RowError::new(
            FindingKind::Duplicate,
            format!("duplicate id `{id}`: line {line} has different values"),
        ),
    };
    records.take_at::<()>(entry.at.begin, &entry.text, Err(refusal(entry.text == kept.text)));
    let kept_lines: Vec<&str> = kept.card.stated_lines().map(|(_, text)| text).collect();
    for (place, text) in entry.card.stated_lines() {
        records.take_at::<()>(entry.at.line(place), text, Err(refusal(kept_lines.contains(&text))));
    }
}
