//! Ids of requests.

use std::cell::RefCell;

use uuid::{Builder, Uuid};

const ID_BYTES: usize = 16;

/// Ids made from what the system gives at a time: asking it for each would cost as much as the answer.
const BATCH: usize = 64;

thread_local! {
    static RANDOM: RefCell<Vec<[u8; ID_BYTES]>> = const { RefCell::new(Vec::new()) };
}

/// An id that no other request has: random, version 4.
#[must_use]
pub fn request_id() -> Uuid {
    let random = RANDOM.with_borrow_mut(|batch| {
        if batch.is_empty() {
            let mut bytes = [0; ID_BYTES * BATCH];
            getrandom::fill(&mut bytes).ok()?;
            batch.extend(bytes.as_chunks().0);
        }
        batch.pop()
    });
    // `new_v4` panics where the system has nothing random to give: no server can be without.
    random.map_or_else(Uuid::new_v4, |bytes| Builder::from_random_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_random_and_no_two_are_equal_on_whatever_thread() {
        let many = || (0..1000).map(|_| request_id()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(many)).collect();
        let ids: Vec<Uuid> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 4));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4000);
    }
}
