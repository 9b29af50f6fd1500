//! The store of webhooks, for tasks: its calls block.

use std::sync::{Arc, Mutex, PoisonError};

use crate::store::{StoreError, WebhookStore};

#[derive(Clone)]
pub(crate) struct StoreHandle(Arc<Mutex<Box<dyn WebhookStore>>>);

impl StoreHandle {
    pub(crate) fn new(store: Box<dyn WebhookStore>) -> Self {
        Self(Arc::new(Mutex::new(store)))
    }

    /// Runs a call on a thread for those that block.
    ///
    /// # Errors
    /// That of the call.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut dyn WebhookStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(&self.0);
        let calling = tokio::task::spawn_blocking(move || {
            // A call that panicked has closed its connection.
            let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
            call(store.as_mut())
        });
        let failed = |source| StoreError::Query { operation: "use webhooks", source };
        calling.await.unwrap_or_else(|error| Err(failed(error.into())))
    }
}

impl std::fmt::Debug for StoreHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreHandle")
    }
}
