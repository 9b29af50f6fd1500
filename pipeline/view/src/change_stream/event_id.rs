//! Ids of events: `<snapshot>-<entry>:<n>`, and `<snapshot>-<entry>:end` behind the last change of a publication.
//!
//! A snapshot may be published more than once, and bring other changes each time. The digest of the entry in the log of publications
//! tells them apart: through it, it is one of all entries before.

use std::fmt;
use std::str::FromStr;

/// Characters of a snapshot's id.
const SNAPSHOT: usize = 32;
/// Characters of an entry's digest that stand in an id.
const ENTRY: usize = 16;

/// A publication of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PublicationId {
    pub snapshot: Box<str>,
    entry: Box<str>,
}

impl PublicationId {
    /// Of the entry with this digest in the log of publications.
    pub(crate) fn of_entry(snapshot: &str, digest: &str) -> Self {
        let entry = digest.get(..ENTRY).unwrap_or(NO_ENTRY);
        Self { snapshot: snapshot.into(), entry: entry.into() }
    }
}

/// Of a snapshot that is served, and that no log has.
pub(crate) const NO_ENTRY: &str = "0000000000000000";

impl fmt::Display for PublicationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.snapshot, self.entry)
    }
}

/// The place of an event among those of its publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventPlace {
    /// A change, counted from 1.
    Change(usize),
    /// Behind the last change.
    End,
}

/// The id of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventId {
    pub publication: PublicationId,
    pub place: EventPlace,
}

/// A text that is no id of an event.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("not an id of an event, such as `<32 hex digits>-<16 hex digits>:7` or `…:end`")]
pub struct MalformedEventId;

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            EventPlace::Change(n) => write!(f, "{}:{n}", self.publication),
            EventPlace::End => write!(f, "{}:end", self.publication),
        }
    }
}

impl FromStr for EventId {
    type Err = MalformedEventId;

    fn from_str(text: &str) -> Result<Self, MalformedEventId> {
        let (publication, place) = text.split_once(':').ok_or(MalformedEventId)?;
        let (snapshot, entry) = publication.split_once('-').ok_or(MalformedEventId)?;
        if !is_hex(snapshot, SNAPSHOT) || !is_hex(entry, ENTRY) {
            return Err(MalformedEventId);
        }
        let place = match place {
            "end" => EventPlace::End,
            number => EventPlace::Change(parse_number(number).ok_or(MalformedEventId)?),
        };
        Ok(Self { publication: PublicationId { snapshot: snapshot.into(), entry: entry.into() }, place })
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// As it is written: from 1, without zeros or a sign before it.
fn parse_number(text: &str) -> Option<usize> {
    let is_plain =
        text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_id_is_refused() {
        let of = |place: &str| format!("{}-{}:{place}", "a".repeat(32), "b".repeat(16));
        for place in ["", "0", "01", "+1", "-1", "1.0", "End", "end ", "1234567890", " 1", "1:2"] {
            assert_eq!(of(place).parse::<EventId>(), Err(MalformedEventId), "{place}");
        }
        let short = format!("{}-{}:1", "a".repeat(31), "b".repeat(16));
        let capitals = format!("{}-{}:1", "A".repeat(32), "b".repeat(16));
        for text in ["", ":", "end", "s1:1", &short, &capitals, &of("1").replace('-', ":")] {
            assert_eq!(text.parse::<EventId>(), Err(MalformedEventId), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_id_is_read_as_it_was_written(snapshot in "[0-9a-f]{32}", digest in "[0-9a-f]{64}", n in 0..1_000_000_000_usize) {
            let publication = PublicationId::of_entry(&snapshot, &digest);
            let place = if n == 0 { EventPlace::End } else { EventPlace::Change(n) };
            let id = EventId { publication, place };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,80}") {
            if let Ok(id) = text.parse::<EventId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
