//! Ids of requests.

use std::future::Future;

use uuid::Uuid;

tokio::task_local! {
    static GIVEN: Uuid;
}

/// The id of the request that is being answered, where a gateway gave it one; else one that no other request has.
#[must_use]
pub fn request_id() -> Uuid {
    GIVEN.try_with(|id| *id).unwrap_or_else(|_| Uuid::new_v4())
}

/// Answers under the id that a gateway gave, if it did.
pub fn with_gateway_id<T>(id: Option<Uuid>, answer: impl FnOnce() -> T) -> T {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[tokio::test]
    async fn what_a_gateway_gave_holds_for_its_request_alone() {
        let id = Uuid::from_u128(7);
        assert_eq!(
            (with_gateway_id(Some(id), request_id), awaited_under(Some(id), async { request_id() }).await),
            (id, id)
        );
        assert_ne!(request_id(), id);
        assert_ne!(with_gateway_id(None, request_id), id);
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
