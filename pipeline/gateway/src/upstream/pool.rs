//! The connections to a canonical host that wait for a request.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::time::Instant;
use tower::ServiceExt as _;

use super::line::Line;
use super::{Fault, Patience};

/// Connections that are kept, at most.
const MAX_KEPT: usize = 512;

/// A host's connections: the one that was used last is used first, so that those which are not needed grow old.
#[derive(Debug)]
pub(super) struct Pool {
    connector: HttpConnector,
    address: Uri,
    /// How long a line is kept.
    kept: Duration,
    free: Mutex<Vec<Free>>,
}

#[derive(Debug)]
struct Free {
    line: Line,
    since: Instant,
}

impl Pool {
    /// To the host of this address, which is `http://HOST:PORT`.
    pub(super) fn of(address: Uri, patience: &Patience) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(patience.connect));
        connector.set_nodelay(true);
        connector.set_keepalive(Some(patience.kept));
        Self { connector, address, kept: patience.kept, free: Mutex::default() }
    }

    /// A line that was used before and can be again.
    pub(super) fn take(&self) -> Option<Line> {
        loop {
            // Not under the lock: a look at a line takes longer than to take it.
            let mut free = self.free().pop()?;
            if free.is_good(self.kept) {
                return Some(free.line);
            }
        }
    }

    /// Another line.
    pub(super) async fn open(&self) -> Result<Line, Fault> {
        let connecting = self.connector.clone().oneshot(self.address.clone());
        let stream = connecting.await.map_err(|error| Fault::Connect(error.into()))?;
        Ok(Line::over(stream.into_inner()))
    }

    /// Keeps a line for another request, if it takes one and there is room.
    pub(super) fn give_back(&self, line: Line) {
        if !line.is_done() {
            return;
        }
        let free = Free { line, since: Instant::now() };
        let mut all = self.free();
        if all.len() < MAX_KEPT {
            all.push(free);
        }
    }

    /// Closes lines that nobody needed for long, and those that the host has closed.
    pub(super) fn sweep(&self) {
        let gone: Vec<Free> = self.free().extract_if(.., |free| !free.is_good(self.kept)).collect();
        // Closed here, where nobody waits for the lock.
        drop(gone);
    }

    fn free(&self) -> MutexGuard<'_, Vec<Free>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Free {
    fn is_good(&mut self, kept: Duration) -> bool {
        self.since.elapsed() < kept && self.line.is_quiet()
    }
}
