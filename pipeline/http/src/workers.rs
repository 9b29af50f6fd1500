//! Threads that serve connections, each with a runtime of its own: what a request does stays on one thread, and nobody
//! on another one is woken for it. For answers that take microseconds: a longer one holds up its whole thread.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
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
    /// Open files that each of them takes.
    pub const FILES_EACH: u64 = 4;

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

impl Drop for Workers {
    /// Ends all of them at once, and waits until they have.
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|worker| worker.running = None);
        for thread in self.0.iter_mut().filter_map(|worker| worker.thread.take()) {
            if thread.join().is_err() {
                tracing::error!("a thread that served connections broke down");
            }
        }
    }
}

impl Worker {
    fn start() -> io::Result<Self> {
        let (running, ended) = oneshot::channel();
        let (sender, started) = sync_channel(1);
        let thread = std::thread::Builder::new().name("worker".to_owned());
        let thread = thread.spawn(move || run(ended, &sender))?;
        let handle = started.recv().map_err(io::Error::other)??;
        Ok(Self { handle, connections: Arc::default(), running: Some(running), thread: Some(thread) })
    }
}

/// The runtime belongs to its thread from the first to the last: nowhere else may it be dropped.
fn run(ended: oneshot::Receiver<()>, started: &SyncSender<io::Result<Handle>>) {
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(started.send(Err(error))),
    };
    if started.send(Ok(runtime.handle().clone())).is_ok() {
        let _ = runtime.block_on(ended);
    }
    // A name that is still being resolved holds nobody up.
    runtime.shutdown_background();
}
