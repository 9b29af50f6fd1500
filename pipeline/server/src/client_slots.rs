//! Slots: how many of something go on at a time, and how many of them are of one client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fdna_http::EventCounter;

use crate::client::ClientId;

/// Places that clients take.
#[derive(Debug)]
pub(crate) struct ClientSlots {
    pub(crate) at_once: usize,
    pub(crate) of_one_client: usize,
    clients: Mutex<HashMap<Option<ClientId>, usize>>,
    /// How often there was none.
    pub(crate) refused: EventCounter,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct ClientSlot {
    client: Option<ClientId>,
    slots: Arc<ClientSlots>,
}

impl ClientSlots {
    pub(crate) fn new(at_once: usize, of_one_client: usize) -> Arc<Self> {
        let (clients, refused) = Default::default();
        Arc::new(Self { at_once, of_one_client, clients, refused })
    }

    /// How many are taken.
    pub(crate) fn count(&self) -> usize {
        self.locked().values().sum()
    }

    /// A place for a client; `None` where it, or all together, have as many as they may. A gateway that names nobody stands for
    /// all of its clients.
    pub(crate) fn take(self: &Arc<Self>, client: Option<ClientId>) -> Option<ClientSlot> {
        let mut clients = self.locked();
        let all: usize = clients.values().sum();
        let own = clients.get(&client).copied().unwrap_or_default();
        if all >= self.at_once || client.is_some() && own >= self.of_one_client {
            self.refused.inc();
            return None;
        }
        clients.insert(client.clone(), own + 1);
        Some(ClientSlot { client, slots: Arc::clone(self) })
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Option<ClientId>, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let mut clients = self.slots.locked();
        if let Some(count) = clients.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_go_on_at_a_time_and_so_many_of_one_client() {
        let slots = ClientSlots::new(256, 32);
        let client = |n: usize| Some(ClientId::named(&n.to_string()));
        let mut taken: Vec<_> = (0..256).map(|n| slots.take(client(n / 32)).unwrap()).collect();
        assert_eq!((slots.count(), slots.refused.get()), (256, 0));
        assert!(slots.take(client(256)).is_none());
        taken.remove(32);
        assert!(slots.take(client(0)).is_none());
        assert_eq!(slots.refused.get(), 2);
        taken.push(slots.take(client(1)).unwrap());
        drop(taken);
        assert!(slots.count() == 0 && slots.locked().is_empty());
        let unnamed: Vec<_> = (0..256).map(|_| slots.take(None).unwrap()).collect();
        assert!(slots.take(None).is_none());
        drop(unnamed);
    }
}
