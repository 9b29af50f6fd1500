//! Ids of requests.

use std::cell::RefCell;
use std::future::Future;

use uuid::{Builder, Uuid};

const ID_BYTES: usize = 16;

/// Ids made from what the system gives at a time: asking it for each would cost as much as the answer.
const BATCH: usize = 64;

tokio::task_local! {
    static GIVEN: Uuid;
}

thread_local! {
    static RANDOM: RefCell<Vec<[u8; ID_BYTES]>> = const { RefCell::new(Vec::new()) };
}

/// The id of the request that is being answered, where a gateway gave it one; else one that no other request has.
#[must_use]
pub fn request_id() -> Uuid {
    GIVEN.try_with(|id| *id).unwrap_or_else(|_| random())
}

/// Answers under the id that a gateway gave, if it did.
pub fn under<T>(id: Option<Uuid>, answer: impl FnOnce() -> T) -> T {
    match id {
        Some(id) => GIVEN.sync_scope(id, answer),
        None => answer(),
    }
}

/// The same of an answer that takes its time.
pub async fn awaited_under<F: Future>(id: Option<Uuid>, answer: F) -> F::Output {
    match id {
        Some(id) => GIVEN.scope(id, answer).await,
        None => answer.await,
    }
}

/// Version 4.
fn random() -> Uuid {
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

    #[tokio::test]
    async fn what_a_gateway_gave_holds_for_its_request_alone() {
        let id = Uuid::from_u128(7);
        assert_eq!(
            (under(Some(id), request_id), awaited_under(Some(id), async { request_id() }).await),
            (id, id)
        );
        assert_ne!(request_id(), id);
        assert_ne!(under(None, request_id), id);
    }

    #[test]
    fn ids_are_random_and_no_two_are_equal_on_whatever_thread() {
        let many = || (0..1000).map(|_| request_id()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(many)).collect();
        let ids: Vec<Uuid> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 4));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4000);
    }
}
