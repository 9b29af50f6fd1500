//! The open connections, and which of them are closed when there are too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::activity::Activity;

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
        self.members().open.values().map(|activity| activity.in_flight()).sum()
    }

    pub(crate) fn enter(self: &Arc<Self>, activity: &Arc<Activity>) -> Place {
        let mut members = self.members();
        members.next += 1;
        let number = members.next;
        members.open.insert(number, Arc::clone(activity));
        Place { crowd: Arc::clone(self), number }
    }

    /// Takes out those that have been idle the longest, and asks them to leave. Returns how many.
    pub(crate) fn evict(&self) -> usize {
        let mut members = self.members();
        let idle = members.open.iter().filter_map(|(number, a)| Some((a.idle_since()?, *number)));
        let mut idle: Vec<(Instant, u64)> = idle.collect();
        let wanted = (members.open.len() / SHARE).max(1).min(idle.len());
        if wanted > 0 {
            idle.select_nth_unstable(wanted - 1);
        }
        for (_, number) in &idle[..wanted] {
            if let Some(activity) = members.open.remove(number) {
                activity.evict();
            }
        }
        wanted
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.members().open.remove(&self.number);
    }
}
