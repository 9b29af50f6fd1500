//! Work that waits for files, away from the threads that answer.

use fdna_view::LoadError;

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|panic| Err(LoadError::Panicked(panic.to_string())))
}
