//! Entries of one calendar that are one event, of which the newest counts: they share a `UID`, so that they are its revisions
//! (RFC 5545, 3.8.7), or name and start, where a publisher gave it another one.

use std::collections::HashMap;

use fdna_model::FindingKind;

use super::property::value;
use super::{CalendarEntry, ListedEvent};
use crate::record_files::LocatedRows;
use crate::row::RowError;

/// By `SEQUENCE`, then by the time at which it was changed, which is `LAST-MODIFIED` or else `DTSTAMP`. Times of one form
/// sort as text.
fn revision(entry: &CalendarEntry<'_>) -> (u32, Option<String>) {
    let sequence = value(entry.component, "SEQUENCE").and_then(|text| text.parse().ok()).unwrap_or(0);
    (sequence, value(entry.component, "LAST-MODIFIED").or_else(|| value(entry.component, "DTSTAMP")))
}

/// What two entries of one event share.
#[derive(PartialEq, Eq, Hash)]
enum EventMark<'e> {
    Id(&'e str),
    /// What is off and takes place anew may have the name and start that it had.
    Listing(&'e ListedEvent),
}

/// For each entry the one that counts in its place: of those that can be read the newest, of equally new ones the first.
/// `None` for one that cannot be read.
pub(super) fn newest(entries: &[CalendarEntry<'_>]) -> Vec<Option<usize>> {
    let mut events: HashMap<EventMark<'_>, usize> = HashMap::new();
    let (mut newest, mut event_of): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, entry) in entries.iter().enumerate() {
        let marks = |listed| [EventMark::Id(entry.id()), EventMark::Listing(listed)];
        let Some(marks) = entry.listed.as_ref().map(marks) else {
            event_of.push(None);
            continue;
        };
        let event = marks.iter().find_map(|mark| events.get(mark).copied()).unwrap_or(newest.len());
        if event == newest.len() {
            newest.push(at);
        } else if revision(entry) > revision(&entries[newest[event]]) {
            newest[event] = at;
        }
        for mark in marks {
            events.entry(mark).or_insert(event);
        }
        event_of.push(Some(event));
    }
    event_of.into_iter().map(|event| Some(newest[event?])).collect()
}

/// Sets the entry and its lines aside: with a note what the kept one states too, or replaces; else as a contradiction.
pub(super) fn set_aside(entry: &CalendarEntry<'_>, kept: &CalendarEntry<'_>, records: &mut LocatedRows<'_>) {
    let (id, line) = (kept.id(), kept.at.begin);
    let is_older = revision(entry) < revision(kept);
    let refusal = |is_same: bool| match (is_same, is_older) {
        (true, _) => RowError::note(FindingKind::Duplicate, format!("line {line} lists the same of `{id}`")),
        (false, true) => RowError::note(
            FindingKind::Duplicate,
            format!("an older revision of `{id}`: the one of line {line} replaces it"),
        ),
        (false, false) => RowError::new(
            FindingKind::Duplicate,
            format!("duplicate of `{id}`: line {line} has different values"),
        ),
    };
    let is_same = entry.stated_text().eq(kept.stated_text());
    records.take_at::<()>(entry.at.begin, &entry.text, Err(refusal(is_same)));
    let kept_lines: Vec<&str> = kept.card.stated_lines().map(|(_, text)| text).collect();
    for (place, text) in entry.card.stated_lines() {
        records.take_at::<()>(entry.at.line(place), text, Err(refusal(kept_lines.contains(&text))));
    }
}
