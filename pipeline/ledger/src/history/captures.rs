//! Times of captures, by source and by group of sources.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use fdna_schemas::SourceGroup;

/// A usable capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureTime {
    pub source: String,
    /// Groups that the source feeds.
    pub groups: Vec<SourceGroup>,
    pub at: DateTime<Utc>,
    /// How long after it the next one is expected; `None` for a source that is captured once.
    pub next_within: Option<TimeDelta>,
}

/// Times of captures, sorted, and how soon the next is due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct CaptureTimes {
    at: Vec<DateTime<Utc>>,
    next_within: Option<TimeDelta>,
}

impl CaptureTimes {
    fn newest_until(&self, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let n = self.at.partition_point(|at| *at <= until);
        n.checked_sub(1).and_then(|last| self.at.get(last)).copied()
    }
}

/// All usable captures of the lake.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaptureHistory {
    all: Vec<DateTime<Utc>>,
    of_source: BTreeMap<String, CaptureTimes>,
    /// Sources that feed it.
    of_group: BTreeMap<&'static str, BTreeSet<String>>,
}

/// A schedule source whose newest capture is that much older than another's no longer has a say before it.
const STALE_AFTER: TimeDelta = TimeDelta::days(3);

impl CaptureHistory {
    #[must_use]
    pub fn new(taken: &[CaptureTime]) -> Self {
        let mut captures = Self::default();
        for capture in taken {
            captures.all.push(capture.at);
            let times = captures.of_source.entry(capture.source.clone()).or_default();
            times.at.push(capture.at);
            times.next_within = capture.next_within;
            for group in &capture.groups {
                captures.of_group.entry(group.name()).or_default().insert(capture.source.clone());
            }
        }
        captures.of_source.values_mut().for_each(|times| times.at.sort_unstable());
        captures.all.sort_unstable();
        captures.all.dedup();
        captures
    }

    /// Times of all captures, each once, the oldest first.
    #[must_use]
    pub fn capture_times(&self) -> &[DateTime<Utc>] {
        &self.all
    }

    /// When the newest capture up to then was taken.
    #[must_use]
    pub fn newest_until(&self, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let n = self.all.partition_point(|at| *at <= until);
        n.checked_sub(1).and_then(|last| self.all.get(last)).copied()
    }

    /// When the first capture after then was taken.
    pub(crate) fn next_after(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.all.get(self.all.partition_point(|at| *at <= after)).copied()
    }

    /// When the newest capture of a group up to then was taken.
    #[must_use]
    pub fn newest_of(&self, group: SourceGroup, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.capture_times_of(group, until).map(|(at, _)| at).max()
    }

    /// Sources of a group that have been captured by then: when last, and how soon the next is due.
    fn capture_times_of(
        &self,
        group: SourceGroup,
        until: DateTime<Utc>,
    ) -> impl Iterator<Item = (DateTime<Utc>, Option<TimeDelta>)> {
        let sources = self.of_group.get(group.name()).into_iter().flatten();
        let times = sources.filter_map(|source| self.of_source.get(source));
        times.filter_map(move |times| Some((times.newest_until(until)?, times.next_within)))
    }

    /// Whether the next capture of a group was due before then.
    #[must_use]
    pub fn is_overdue(&self, group: SourceGroup, at: DateTime<Utc>) -> bool {
        // Of several sources the one that comes most often says when the group is overdue, once it has come: what
        // is captured later must not change what was said before.
        let within = self.capture_times_of(group, at).filter_map(|(_, within)| within).min();
        let due =
            self.newest_of(group, at).zip(within).and_then(|(last, within)| last.checked_add_signed(within));
        due.is_some_and(|due| due < at)
    }

    /// Whether a source of the schedule has fallen behind another.
    pub(crate) fn is_stale(&self, source: &str, at: DateTime<Utc>) -> bool {
        let own = self.of_source.get(source).and_then(|times| times.newest_until(at));
        let newest = self.newest_of(SourceGroup::Schedule, at);
        own.zip(newest).is_some_and(|(own, newest)| newest - own > STALE_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(source: &str, at: &str, hours: i64) -> CaptureTime {
        let groups = vec![SourceGroup::Wire];
        let at = at.parse().unwrap();
        CaptureTime { source: source.to_owned(), groups, at, next_within: Some(TimeDelta::hours(hours)) }
    }

    #[test]
    fn a_source_that_is_captured_later_makes_nothing_overdue_before() {
        let daily = taken("daily", "2025-01-10T00:00:00Z", 24);
        let often = taken("often", "2025-01-12T00:00:00Z", 6);
        let is_overdue = |taken: &[CaptureTime], at: &str| {
            CaptureHistory::new(taken).is_overdue(SourceGroup::Wire, at.parse().unwrap())
        };
        let both = [daily.clone(), often];
        for taken in [&both[..1], &both] {
            assert!(!is_overdue(taken, "2025-01-10T12:00:00Z"));
            assert!(is_overdue(taken, "2025-01-11T12:00:00Z"));
        }
        assert!(!is_overdue(&both, "2025-01-12T06:00:00Z"));
        assert!(is_overdue(&both, "2025-01-12T06:00:01Z"));
    }
}
