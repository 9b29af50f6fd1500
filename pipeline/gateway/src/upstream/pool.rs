//! The connections to a canonical host that wait for a request.

#![expect(
    clippy::vec_box,
    reason = "a line goes from hand to hand with each request: it is moved as a pointer"
)]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::time::Instant;
use tower::ServiceExt as _;

use super::host::Load;
use super::line::Line;
use super::stream::{Stream, TlsHost};
use super::{Fault, Patience};

/// A host's connections from one thread: the one that was used last is used first, so that those which are not needed
/// grow old.
#[derive(Debug)]
pub(super) struct Pool {
    connector: HttpConnector,
    address: Uri,
    tls: Option<TlsHost>,
    /// How long its handshake may take.
    handshake: Duration,
    /// How long a line is kept.
    kept: Duration,
    /// How many are, at most.
    room: usize,
    free: Mutex<Vec<Box<Line>>>,
    /// Of the host, if it is counted.
    pub(super) load: Option<Arc<Load>>,
}

impl Pool {
    /// To the host of this address, which is `http://HOST:PORT`, or https.
    pub(super) fn of(
        address: Uri,
        tls: Option<TlsHost>,
        patience: &Patience,
        room: usize,
        load: Option<Arc<Load>>,
    ) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(patience.connect));
        connector.set_nodelay(true);
        connector.enforce_http(false);
        connector.set_keepalive(Some(patience.kept));
        let Patience { handshake, kept, .. } = *patience;
        Self { connector, address, tls, handshake, kept, room, free: Mutex::default(), load }
    }

    /// A line that was used before and can be again.
    pub(super) fn take(&self, now: Instant) -> Option<Box<Line>> {
        loop {
            // Not under the lock: a look at a line takes longer than to take it.
            let mut line = self.free().pop()?;
            if !line.is_old(self.kept, now) && line.wire.is_quiet() {
                return Some(line);
            }
        }
    }

    /// Another line.
    pub(super) async fn open(&self, now: Instant) -> Result<Box<Line>, Fault> {
        let connecting = self.connector.clone().oneshot(self.address.clone());
        let stream = connecting.await.map_err(|error| Fault::Connect(error.into()))?;
        let stream = stream.into_inner();
        let stream = match &self.tls {
            None => Stream::Plain(stream),
            Some(tls) => {
                let shaken = tokio::time::timeout(self.handshake, tls.connect(stream)).await;
                let late = |_| Fault::Connect("the TLS handshake took too long".into());
                shaken.map_err(late)?.map_err(|error| Fault::Connect(error.into()))?
            }
        };
        Ok(Line::over(stream, now))
    }

    /// Keeps a line for another request, if it takes one and there is room.
    pub(super) fn give_back(&self, line: Box<Line>) {
        if !line.wire.is_done() {
            return;
        }
        let mut free = self.free();
        if free.len() < self.room {
            free.push(line);
        }
    }

    /// Closes lines that nobody needed for long. Those that the host has closed are found when they are taken: to look
    /// at all of them here would hold up those who take one.
    pub(super) fn sweep(&self, now: Instant) {
        let gone: Vec<_> = self.free().extract_if(.., |line| line.is_old(self.kept, now)).collect();
        // Closed here, where nobody waits for the lock.
        drop(gone);
    }

    fn free(&self) -> MutexGuard<'_, Vec<Box<Line>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
