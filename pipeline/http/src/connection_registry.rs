//! The registry of open connections, and which of them are evicted at the connection limit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::connection_activity::ConnectionActivity;
use crate::limits::ConnectionLimits;

/// Of this many connections, one is closed at a time when there are too many: looking at all of them for each new one
/// would be slow.
const SHARE: usize = 64;

/// Every open connection.
#[derive(Debug, Default)]
pub(crate) struct ConnectionRegistry {
    members: Mutex<RegisteredConnections>,
}

#[derive(Debug, Default)]
struct RegisteredConnections {
    next: u64,
    open: HashMap<u64, Arc<ConnectionActivity>>,
    /// Those that were asked to leave, and those of HTTP/2 that are gone while something still answers them.
    leaving: Vec<Arc<ConnectionActivity>>,
}

/// A connection's place; it is free when this value is gone.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    connections: Arc<ConnectionRegistry>,
    number: u64,
}

impl ConnectionRegistry {
    pub(crate) fn len(&self) -> usize {
        self.lock_members().open.len()
    }

    /// Requests that are being answered.
    pub(crate) fn in_flight(&self) -> u64 {
        let members = &mut *self.lock_members();
        members.prune_closed();
        members.open.values().chain(&members.leaving).map(|activity| activity.in_flight()).sum()
    }

    pub(crate) fn register(self: &Arc<Self>, activity: &Arc<ConnectionActivity>) -> ConnectionSlot {
        let mut members = self.lock_members();
        members.next += 1;
        let number = members.next;
        members.open.insert(number, Arc::clone(activity));
        ConnectionSlot { connections: Arc::clone(self), number }
    }

    /// Takes out those that have been idle the longest, or else those whose clients take their answers too slowly, and
    /// asks them to leave. Returns how many.
    pub(crate) fn evict_slowest(&self, limits: &ConnectionLimits) -> usize {
        let mut members = self.lock_members();
        let mut idle = members.sorted_by_moment(ConnectionActivity::idle_since);
        if idle.is_empty() {
            idle = members.sorted_by_moment(|activity| activity.slow_since(limits));
        }
        let wanted = (members.open.len() / SHARE).max(1).min(idle.len());
        if wanted > 0 {
            idle.select_nth_unstable(wanted - 1);
        }
        for (_, number) in &idle[..wanted] {
            if let Some(activity) = members.open.remove(number) {
                activity.ask_to_leave();
                // A request may have come just now.
                members.leaving.push(activity);
            }
        }
        members.prune_closed();
        wanted
    }

    fn lock_members(&self) -> MutexGuard<'_, RegisteredConnections> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RegisteredConnections {
    /// Those of which there is a moment, with it.
    fn sorted_by_moment(
        &self,
        moment: impl Fn(&ConnectionActivity) -> Option<Instant>,
    ) -> Vec<(Instant, u64)> {
        self.open.iter().filter_map(|(number, activity)| Some((moment(activity)?, *number))).collect()
    }

    /// A connection and its requests hold their activity too: one that is held by none is over.
    fn prune_closed(&mut self) {
        self.leaving.retain(|activity| Arc::strong_count(activity) > 1);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut members = self.connections.lock_members();
        if let Some(activity) = members.open.remove(&self.number)
            && activity.in_flight() > 0
        {
            members.leaving.push(activity);
            members.prune_closed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_until_they_are_over_wherever_their_connection_is() {
        let connections = Arc::new(ConnectionRegistry::default());
        let (stays, leaves, ends) =
            (ConnectionActivity::new(), ConnectionActivity::new(), ConnectionActivity::new());
        let (_stays, _leaves, slot) =
            (connections.register(&stays), connections.register(&leaves), connections.register(&ends));
        let (first, last) = (stays.begin_request(false), ends.begin_request(true));
        assert_eq!(
            (connections.evict_slowest(&ConnectionLimits::default()), connections.in_flight()),
            (1, 2)
        );
        let late = leaves.begin_request(false);
        drop((slot, ends));
        assert_eq!((connections.len(), connections.in_flight()), (1, 3));
        drop((first, last));
        assert_eq!(connections.in_flight(), 1);
        drop((late, leaves));
        assert_eq!(connections.in_flight(), 0);
        assert!(connections.lock_members().leaving.is_empty());
    }
}
