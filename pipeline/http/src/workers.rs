//! Threads that serve connections, each with a runtime of its own: what a request does stays on one core, and nobody
//! on another one is woken for it. For answers that take microseconds: a longer one holds up its whole thread.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// The threads; they end with the value.
#[derive(Debug)]
pub struct Workers(Vec<Worker>);

#[derive(Debug)]
struct Worker {
    handle: Handle,
    /// Held by each of its connections.
    connections: Arc<()>,
    /// Dropped to end it.
    running: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Workers {
    /// This many.
    ///
    /// # Errors
    /// The system gives no more threads or files.
    pub fn start(count: usize) -> io::Result<Self> {
        (0..count).map(|_| Worker::start()).collect::<io::Result<_>>().map(Self)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The one with the fewest connections.
    pub(crate) fn least_busy(&self) -> Option<usize> {
        (0..self.0.len()).min_by_key(|place| Arc::strong_count(&self.0[*place].connections))
    }

    /// Gives a connection to one of them.
    pub(crate) fn spawn(&self, place: usize, connection: impl Future<Output = ()> + Send + 'static) {
        let worker = &self.0[place];
        let counted = Arc::clone(&worker.connections);
        worker.handle.spawn(async move {
            connection.await;
            drop(counted);
        });
    }
}

impl Worker {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (running, ended) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("worker".to_owned()).spawn(move || {
            let _ = runtime.block_on(ended);
        })?;
        Ok(Self { handle, connections: Arc::default(), running: Some(running), thread: Some(thread) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.running = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("a thread that served connections broke down");
        }
    }
}
