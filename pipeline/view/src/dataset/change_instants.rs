//! The instants at which time alone changes what is answered: rights run out, articles appear.

use chrono::{DateTime, TimeDelta, Utc};

/// Such instants of a snapshot, oldest first.
#[derive(Debug, Default)]
pub(crate) struct ChangeInstants(Vec<DateTime<Utc>>);

impl ChangeInstants {
    pub(crate) fn of(instants: impl IntoIterator<Item = DateTime<Utc>>) -> Self {
        let mut instants: Vec<_> = instants.into_iter().collect();
        instants.sort_unstable();
        Self(instants)
    }

    /// How many have come: between two requests with the same number, time changed nothing.
    pub(crate) fn elapsed_count(&self, now: DateTime<Utc>) -> usize {
        self.0.partition_point(|instant| *instant <= now)
    }

    /// Time left until the next.
    pub(crate) fn until_next(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        self.0.get(self.elapsed_count(now)).map(|next| *next - now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_come_at_its_instant() {
        let at = |secs| DateTime::from_timestamp(secs, 0).unwrap();
        let instants = ChangeInstants::of([at(20), at(10)]);
        assert_eq!([9, 10, 19, 20].map(|secs| instants.elapsed_count(at(secs))), [0, 1, 1, 2]);
        assert_eq!(instants.until_next(at(12)), Some(TimeDelta::seconds(8)));
        assert_eq!(instants.until_next(at(20)), None);
    }
}
