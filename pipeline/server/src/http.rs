//! One server: a listener, what it serves, and the watcher that follows the source.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use fdna_http::{Limits, ServeError, Server};
use tokio::net::TcpListener;

use crate::routes::router;
use crate::swap::{Clock, Served, SnapshotSource, watch};

/// How to serve.
#[derive(Clone)]
pub struct Options {
    /// Where snapshots come from.
    pub source: Arc<dyn SnapshotSource>,
    /// Between two looks at the source's pointer.
    pub poll: Duration,
    /// What one client may take.
    pub limits: Limits,
    /// Where images are served, for the index.
    pub media_base_url: Option<String>,
    /// The time of each request.
    pub clock: Clock,
}

impl Options {
    /// The defaults, serving from this source by this clock.
    #[must_use]
    pub fn new(source: Arc<dyn SnapshotSource>, clock: Clock) -> Self {
        let (poll, limits) = (Duration::from_millis(500), Limits::default());
        Self { source, poll, limits, media_base_url: None, clock }
    }
}

/// Serves until `shutdown`, then lets requests in flight finish.
///
/// Answers at once: until a snapshot is loaded, with 503.
///
/// # Errors
/// The listener broke.
pub async fn serve(
    listener: TcpListener,
    options: Options,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let served = Served::new(options.media_base_url.clone(), options.clock.clone());
    let served = Arc::new(served.with_source(Arc::clone(&options.source)));
    let watcher = tokio::spawn(watch(Arc::clone(&served), Arc::clone(&options.source), options.poll));
    let ended = Server::new(listener, options.limits).serve(router(served), shutdown).await;
    watcher.abort();
    ended
}
