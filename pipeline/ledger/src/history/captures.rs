//! When captures were taken, by source and by group of sources.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_schemas::SourceGroup;

/// A usable capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub source: String,
    /// Groups that the source feeds.
    pub groups: Vec<SourceGroup>,
    pub at: DateTime<Utc>,
    /// How long after it the next one is expected; `None` for a source that is captured once.
    pub next_within: Option<TimeDelta>,
}

/// Times of captures, sorted, and how soon the next is due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Times {
    at: Vec<DateTime<Utc>>,
    next_within: Option<TimeDelta>,
}

impl Times {
    fn newest(&self, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let n = self.at.partition_point(|at| *at <= until);
        n.checked_sub(1).and_then(|last| self.at.get(last)).copied()
    }
}

/// All usable captures of the lake.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captures {
    all: Vec<DateTime<Utc>>,
    of_source: BTreeMap<String, Times>,
    of_group: BTreeMap<&'static str, Times>,
}

/// A schedule source whose newest capture is that much older than another's no longer has a say before it.
const STALE_AFTER: TimeDelta = TimeDelta::days(3);

impl Captures {
    #[must_use]
    pub fn new(taken: &[Taken]) -> Self {
        let mut captures = Self::default();
        for capture in taken {
            captures.all.push(capture.at);
            captures.of_source.entry(capture.source.clone()).or_default().at.push(capture.at);
            for group in &capture.groups {
                let times = captures.of_group.entry(group.name()).or_default();
                times.at.push(capture.at);
                // Of several sources the one that comes most often says when the group is overdue.
                let soonest = [times.next_within, capture.next_within].into_iter().flatten().min();
                times.next_within = soonest;
            }
        }
        let groups = captures.of_group.values_mut();
        captures.of_source.values_mut().chain(groups).for_each(|times| times.at.sort_unstable());
        captures.all.sort_unstable();
        captures.all.dedup();
        captures
    }

    /// Times of all captures, each once, the oldest first.
    #[must_use]
    pub fn times(&self) -> &[DateTime<Utc>] {
        &self.all
    }

    /// When the newest capture up to then was taken.
    #[must_use]
    pub fn newest(&self, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let n = self.all.partition_point(|at| *at <= until);
        n.checked_sub(1).and_then(|last| self.all.get(last)).copied()
    }

    /// The same of a group.
    #[must_use]
    pub fn newest_of(&self, group: SourceGroup, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.of_group.get(group.name())?.newest(until)
    }

    /// Whether the next capture of a group was due before then.
    #[must_use]
    pub fn is_overdue(&self, group: SourceGroup, at: DateTime<Utc>) -> bool {
        let Some(times) = self.of_group.get(group.name()) else { return false };
        let due = times
            .newest(at)
            .zip(times.next_within)
            .and_then(|(last, within)| last.checked_add_signed(within));
        due.is_some_and(|due| due < at)
    }

    /// Whether a source of the schedule has fallen behind another.
    pub(crate) fn is_stale(&self, source: &str, at: DateTime<Utc>) -> bool {
        let own = self.of_source.get(source).and_then(|times| times.newest(at));
        let newest = self.newest_of(SourceGroup::Schedule, at);
        own.zip(newest).is_some_and(|(own, newest)| newest - own > STALE_AFTER)
    }
}
