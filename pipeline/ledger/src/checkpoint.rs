//! Checkpoints: the moments of a fight week at which a bout's state is written down.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};

/// A checkpoint, in the order in which a bout comes to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checkpoint {
    /// First sight, earlier than seven days before the start.
    Announced,
    /// So many days before the start: 7 to 1.
    Days(u8),
    /// The last twelve hours, and until there is a result.
    FightDay,
    /// The first result.
    Result,
    /// A day later.
    ResultDay,
    /// A fact that changed after that.
    Correction,
}

/// How long after the start a bout nobody knew of may still enter the ledger, and how long after its result it
/// is watched.
pub const WINDOW: TimeDelta = TimeDelta::days(30);
/// Until this long after the start any change of state writes a row; later only a change of the bout's facts does.
pub(crate) const POST_EVENT_WINDOW: TimeDelta = TimeDelta::days(7);
/// From a result to the row of the day after.
pub const RESULT_FOLLOW_UP: TimeDelta = TimeDelta::hours(24);

impl Checkpoint {
    /// Those that the start alone decides, the earliest first.
    pub const BEFORE: [Self; 9] = [
        Self::Announced,
        Self::Days(7),
        Self::Days(6),
        Self::Days(5),
        Self::Days(4),
        Self::Days(3),
        Self::Days(2),
        Self::Days(1),
        Self::FightDay,
    ];

    /// All, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::BEFORE.into_iter().chain([Self::Result, Self::ResultDay, Self::Correction])
    }

    /// Place among all.
    fn index(self) -> usize {
        Self::all().position(|other| other == self).unwrap_or(usize::MAX)
    }

    /// When a bout that starts then comes to it; `None` for `ANNOUNCED`, which is whenever it is first seen, and
    /// for those that a result decides.
    #[must_use]
    pub fn instant_for(self, start: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let before = match self {
            Self::Days(days) => TimeDelta::hours(24 * i64::from(days)),
            Self::FightDay => TimeDelta::hours(12),
            Self::Announced | Self::Result | Self::ResultDay | Self::Correction => return None,
        };
        start.checked_sub_signed(before)
    }

    /// The newest that a bout has come to which starts then and has no result.
    #[must_use]
    pub fn newest_reached(start: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        let reached = |checkpoint: &Self| checkpoint.instant_for(start).is_some_and(|instant| instant <= now);
        Self::BEFORE.into_iter().rev().find(reached).unwrap_or(Self::Announced)
    }

    /// The first instant after `now` at which it comes to another.
    #[must_use]
    pub fn next_instant(start: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        Self::BEFORE.into_iter().filter_map(|c| c.instant_for(start)).find(|instant| *instant > now)
    }
}

impl Ord for Checkpoint {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index().cmp(&other.index())
    }
}

impl PartialOrd for Checkpoint {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Announced => f.write_str("ANNOUNCED"),
            Self::Days(days) => write!(f, "T-{days}D"),
            Self::FightDay => f.write_str("T-0"),
            Self::Result => f.write_str("RESULT"),
            Self::ResultDay => f.write_str("RESULT+24H"),
            Self::Correction => f.write_str("CORRECTION"),
        }
    }
}

/// Error for a text that names no checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no checkpoint called `{0}`")]
pub struct NoCheckpoint(pub String);

impl FromStr for Checkpoint {
    type Err = NoCheckpoint;

    fn from_str(text: &str) -> Result<Self, NoCheckpoint> {
        Self::all().find(|c| c.to_string() == text).ok_or_else(|| NoCheckpoint(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_checkpoint_is_reached_at_its_hour_and_held_until_the_next() {
        let start = at("2025-03-08T23:00:00Z");
        for (now, expected) in [
            ("2025-01-01T00:00:00Z", "ANNOUNCED"),
            ("2025-03-01T22:59:59Z", "ANNOUNCED"),
            ("2025-03-01T23:00:00Z", "T-7D"),
            ("2025-03-02T22:59:59Z", "T-7D"),
            ("2025-03-07T23:00:00Z", "T-1D"),
            ("2025-03-08T10:59:59Z", "T-1D"),
            ("2025-03-08T11:00:00Z", "T-0"),
            ("2025-04-30T00:00:00Z", "T-0"),
        ] {
            assert_eq!(Checkpoint::newest_reached(start, at(now)).to_string(), expected, "{now}");
        }
    }

    #[test]
    fn the_next_instant_is_the_one_at_which_another_is_reached() {
        let start = at("2025-03-08T23:00:00Z");
        let mut now = at("2025-02-01T00:00:00Z");
        let mut reached = vec![Checkpoint::newest_reached(start, now)];
        while let Some(next) = Checkpoint::next_instant(start, now) {
            assert_eq!(
                Checkpoint::newest_reached(start, next - TimeDelta::seconds(1)),
                *reached.last().unwrap()
            );
            reached.push(Checkpoint::newest_reached(start, next));
            now = next;
        }
        assert_eq!(reached, Checkpoint::BEFORE);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert!(Checkpoint::all().is_sorted());
        for checkpoint in Checkpoint::all() {
            assert_eq!(checkpoint.to_string().parse(), Ok(checkpoint));
        }
        assert_eq!("T-8D".parse::<Checkpoint>(), Err(NoCheckpoint("T-8D".to_owned())));
    }
}
