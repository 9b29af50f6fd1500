//! The order of publications, and what comes behind an event.

use chrono::{DateTime, Utc};

use super::event_id::{EventId, EventPlace, NO_ENTRY, PublicationId};

/// A snapshot that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSnapshot {
    pub id: PublicationId,
    /// `None` where no log says it.
    pub at: Option<DateTime<Utc>>,
}

/// All publications of a lake, the oldest first. Those behind the one that is served have not been sent yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicationHistory {
    all: Vec<PublishedSnapshot>,
    served: usize,
}

/// How far a client has been sent the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPosition {
    pub publication: PublicationId,
    /// Its changes that were sent; `None` once its end was.
    pub sent: Option<usize>,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum NextEvents<'h> {
    /// The changes of a publication but for the first `sent`, then its end. They are what it has and the snapshot `before` has not:
    /// `None` where it is the first one, or the same snapshot, and brought nothing.
    Of { publication: &'h PublishedSnapshot, before: Option<&'h str>, sent: usize },
    /// Nothing yet.
    Wait,
    /// The position is one of no publication.
    Unknown,
}

impl PublicationHistory {
    /// Where this snapshot is served: its newest publication is. One that the log does not have is all that is known of.
    #[must_use]
    pub fn new(all: Vec<PublishedSnapshot>, served: &str) -> Self {
        match all.iter().rposition(|published| &*published.id.snapshot == served) {
            Some(served) => Self { all, served },
            None => {
                let alone = PublishedSnapshot { id: PublicationId::of_entry(served, NO_ENTRY), at: None };
                Self { all: vec![alone], served: 0 }
            }
        }
    }

    /// The publication that is served.
    #[must_use]
    pub fn served(&self) -> &PublishedSnapshot {
        &self.all[self.served]
    }

    /// What comes behind a position.
    #[must_use]
    pub fn next(&self, position: &StreamPosition) -> NextEvents<'_> {
        let Some(place) = self.all.iter().rposition(|published| published.id == position.publication) else {
            return NextEvents::Unknown;
        };
        let (place, sent) = match position.sent {
            Some(sent) => (place, sent),
            None => (place + 1, 0),
        };
        if place > self.served {
            return NextEvents::Wait;
        }
        let publication = &self.all[place];
        let before = place.checked_sub(1).map(|before| &*self.all[before].id.snapshot);
        let before = before.filter(|before| *before != &*publication.id.snapshot);
        NextEvents::Of { publication, before, sent }
    }
}

impl StreamPosition {
    /// Behind all events of a publication.
    #[must_use]
    pub fn at_end_of(publication: &PublicationId) -> Self {
        Self { publication: publication.clone(), sent: None }
    }

    /// Behind the last event that was sent.
    #[must_use]
    pub fn last_event(&self) -> EventId {
        let place = self.sent.map_or(EventPlace::End, EventPlace::Change);
        EventId { publication: self.publication.clone(), place }
    }
}

impl From<EventId> for StreamPosition {
    fn from(id: EventId) -> Self {
        let sent = match id.place {
            EventPlace::Change(n) => Some(n),
            EventPlace::End => None,
        };
        Self { publication: id.publication, sent }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::change_stream::new_items;

    /// Publications of snapshots by letters, under digests that are no other's.
    fn history(letters: &[u8], served: u8) -> PublicationHistory {
        let published = letters.iter().enumerate().map(|(n, letter)| PublishedSnapshot {
            id: PublicationId::of_entry(
                &snapshot(*letter),
                &format!("{n:064x}").chars().rev().collect::<String>(),
            ),
            at: None,
        });
        PublicationHistory::new(published.collect(), &snapshot(served))
    }

    fn snapshot(letter: u8) -> String {
        format!("{letter:032x}")
    }

    /// Rows of a snapshot: those whose bits its letter has, some of them twice.
    fn rows(letter: u8) -> Vec<u8> {
        (0..8)
            .filter(|bit| letter >> bit & 1 == 1)
            .flat_map(|bit| vec![bit; 1 + usize::from(bit % 2)])
            .collect()
    }

    /// Events from a position on, as a stream sends them: id and row, none at the end of a publication.
    fn events(history: &PublicationHistory, mut position: StreamPosition) -> Vec<(String, Option<u8>)> {
        let mut sent_events = Vec::new();
        loop {
            let (publication, before, sent) = match history.next(&position) {
                NextEvents::Of { publication, before, sent } => {
                    (publication.id.clone(), before.map(str::to_owned), sent)
                }
                NextEvents::Wait => return sent_events,
                NextEvents::Unknown => panic!("{position:?} is not known"),
            };
            let letter = |id: &str| u8::from_str_radix(&id[30..], 16).unwrap();
            let after = rows(letter(&publication.snapshot));
            let new = before.map_or_else(Vec::new, |before| new_items(rows(letter(&before)), after.clone()));
            for (n, place) in new.iter().enumerate().skip(sent) {
                position = StreamPosition { publication: publication.clone(), sent: Some(n + 1) };
                sent_events.push((position.last_event().to_string(), Some(after[*place])));
            }
            position = StreamPosition::at_end_of(&publication);
            sent_events.push((position.last_event().to_string(), None));
        }
    }

    fn from_the_first(history: &PublicationHistory) -> Vec<(String, Option<u8>)> {
        events(history, StreamPosition::at_end_of(&history.all[0].id))
    }

    #[test]
    fn going_back_and_forth_gives_each_publication_ids_of_its_own() {
        let all = from_the_first(&history(&[1, 3, 1, 3, 3], 3));
        let rows: Vec<Option<u8>> = all.iter().map(|(_, row)| *row).collect();
        assert_eq!(rows, [Some(1), Some(1), None, None, Some(1), Some(1), None, None]);
        let ids: BTreeMap<_, _> = all.iter().cloned().collect();
        assert_eq!(ids.len(), all.len());
    }

    #[test]
    fn what_this_host_does_not_serve_yet_is_waited_for_and_what_it_does_not_know_is_unknown() {
        let (whole, behind) = (history(&[1, 2, 3], 3), history(&[1, 2, 3], 2));
        let newest = StreamPosition::at_end_of(&whole.served().id);
        assert_eq!(behind.next(&newest), NextEvents::Wait);
        assert_eq!(behind.next(&StreamPosition { sent: Some(1), ..newest.clone() }), NextEvents::Wait);
        assert_eq!(history(&[1, 2], 2).next(&newest), NextEvents::Unknown);
        let unlogged = history(&[1, 2], 9);
        let position = StreamPosition::at_end_of(&unlogged.served().id);
        assert_eq!((unlogged.next(&position), unlogged.served().at), (NextEvents::Wait, None));
        let first = StreamPosition { publication: whole.all[0].id.clone(), sent: Some(4) };
        assert!(matches!(whole.next(&first), NextEvents::Of { before: None, sent: 4, .. }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// Whoever resumes behind an event is sent exactly those behind it, also where more was published meanwhile; no id is of
        /// two rows.
        #[test]
        fn resuming_behind_any_event_gives_exactly_the_rest(
            letters in prop::collection::vec(0..32_u8, 1..8),
            later in prop::collection::vec(0..32_u8, 0..4),
        ) {
            let before = history(&letters, *letters.last().unwrap());
            let both = [letters, later].concat();
            let after = history(&both, *both.last().unwrap());
            let (sent, all) = (from_the_first(&before), from_the_first(&after));
            prop_assert_eq!(&all[..sent.len()], &sent[..]);
            for (place, (id, _)) in all.iter().enumerate() {
                let id: EventId = id.parse().unwrap();
                prop_assert_eq!(&events(&after, id.into())[..], &all[place + 1..]);
            }
            let ids: BTreeMap<_, _> = all.iter().cloned().collect();
            prop_assert_eq!(ids.len(), all.len());
        }

        /// Who has the rows of the first snapshot and takes in every change has had every row of the last one.
        #[test]
        fn no_row_of_the_last_snapshot_is_lost(letters in prop::collection::vec(0..32_u8, 1..8)) {
            let last = *letters.last().unwrap();
            let all = from_the_first(&history(&letters, last));
            let mut had: Vec<u8> = rows(letters[0]);
            had.extend(all.iter().filter_map(|(_, row)| *row));
            prop_assert!(new_items(had, rows(last)).is_empty());
        }
    }
}
