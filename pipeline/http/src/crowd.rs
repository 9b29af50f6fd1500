//! The open connections, and which of them are closed when there are too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::activity::Activity;
use crate::limits::Limits;

/// Of this many connections, one is closed at a time when there are too many: looking at all of them for each new one
/// would be slow.
const SHARE: usize = 64;

/// Every open connection.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    members: Mutex<Members>,
}

#[derive(Debug, Default)]
struct Members {
    next: u64,
    open: HashMap<u64, Arc<Activity>>,
    /// Those that were asked to leave, and those of HTTP/2 that are gone while something still answers them.
    leaving: Vec<Arc<Activity>>,
}

/// A connection's place; it is free when this value is gone.
#[derive(Debug)]
pub(crate) struct Place {
    crowd: Arc<Crowd>,
    number: u64,
}

impl Crowd {
    pub(crate) fn len(&self) -> usize {
        self.members().open.len()
    }

    /// Requests that are being answered.
    pub(crate) fn in_flight(&self) -> u64 {
        let members = &mut *self.members();
        members.forget_gone();
        members.open.values().chain(&members.leaving).map(|activity| activity.in_flight()).sum()
    }

    pub(crate) fn enter(self: &Arc<Self>, activity: &Arc<Activity>) -> Place {
        let mut members = self.members();
        members.next += 1;
        let number = members.next;
        members.open.insert(number, Arc::clone(activity));
        Place { crowd: Arc::clone(self), number }
    }

    /// Takes out those that have been idle the longest, or else those whose clients take their answers too slowly, and
    /// asks them to leave. Returns how many.
    pub(crate) fn evict(&self, limits: &Limits) -> usize {
        let mut members = self.members();
        let mut idle = members.since(Activity::idle_since);
        if idle.is_empty() {
            idle = members.since(|activity| activity.slow_since(limits));
        }
        let wanted = (members.open.len() / SHARE).max(1).min(idle.len());
        if wanted > 0 {
            idle.select_nth_unstable(wanted - 1);
        }
        for (_, number) in &idle[..wanted] {
            if let Some(activity) = members.open.remove(number) {
                activity.evict();
                // A request may have come just now.
                members.leaving.push(activity);
            }
        }
        members.forget_gone();
        wanted
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Members {
    /// Those of which there is a moment, with it.
    fn since(&self, moment: impl Fn(&Activity) -> Option<Instant>) -> Vec<(Instant, u64)> {
        self.open.iter().filter_map(|(number, activity)| Some((moment(activity)?, *number))).collect()
    }

    /// A connection and its requests hold their activity too: one that is held by none is over.
    fn forget_gone(&mut self) {
        self.leaving.retain(|activity| Arc::strong_count(activity) > 1);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut members = self.crowd.members();
        if let Some(activity) = members.open.remove(&self.number)
            && activity.in_flight() > 0
        {
            members.leaving.push(activity);
            members.forget_gone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_until_they_are_over_wherever_their_connection_is() {
        let crowd = Arc::new(Crowd::default());
        let (stays, leaves, ends) = (Activity::new(), Activity::new(), Activity::new());
        let (_stays, _leaves, place) = (crowd.enter(&stays), crowd.enter(&leaves), crowd.enter(&ends));
        let (first, last) = (stays.begin(false), ends.begin(true));
        assert_eq!((crowd.evict(&Limits::default()), crowd.in_flight()), (1, 2));
        let late = leaves.begin(false);
        drop((place, ends));
        assert_eq!((crowd.len(), crowd.in_flight()), (1, 3));
        drop((first, last));
        assert_eq!(crowd.in_flight(), 1);
        drop((late, leaves));
        assert_eq!(crowd.in_flight(), 0);
        assert!(crowd.members().leaving.is_empty());
    }
}
