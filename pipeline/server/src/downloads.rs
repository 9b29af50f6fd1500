//! Files of tables of the snapshot that is served, for whoever downloads them: opened and checked once for a snapshot, and sent a
//! piece at a time, to so many clients at a time. However slowly one reads, a piece of the file is all that it holds.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use fdna_api::{ErrorCode, Failure};
use fdna_http::EventCounter;
use fdna_view::VerifiedFile;
use http_body::{Frame, SizeHint};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::client::ClientId;
use crate::serving_state::ServingState;

/// Downloads at a time.
const AT_ONCE: usize = 128;
/// The same of one client.
const OF_ONE_CLIENT: usize = 8;
/// Until when who found no room may ask again.
const RETRY_AFTER_SECS: u32 = 10;
/// Bytes that are read at a time.
const PIECE: u64 = 64 << 10;
/// How long a file that could not be opened is left alone.
const BACKOFF: Duration = Duration::from_secs(60);

/// The Parquet file of a table.
#[derive(Debug)]
pub struct TableFile {
    pub snapshot_id: String,
    /// Of all of it, as its snapshot's manifest says.
    pub sha256: String,
    file: VerifiedFile,
}

impl TableFile {
    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.bytes()
    }
}

/// Why a file could not be opened, and when.
type Failed = (Failure, Instant);

/// The files, and who is sent one.
#[derive(Debug, Default)]
pub(crate) struct TableDownloads {
    files: Mutex<OpenFiles>,
    /// To read a file through takes a processor: one at a time.
    opening: tokio::sync::Mutex<()>,
    clients: Mutex<HashMap<Option<ClientId>, usize>>,
    /// Requests that were answered `busy`.
    pub(crate) refused: EventCounter,
}

/// Files of one snapshot.
#[derive(Debug, Default)]
struct OpenFiles {
    snapshot_id: String,
    files: HashMap<String, Result<Arc<TableFile>, Failed>>,
}

impl TableDownloads {
    /// Downloads that go on.
    pub(crate) fn count(&self) -> usize {
        locked(&self.clients).values().sum()
    }

    fn found(&self, snapshot_id: &str, table: &str) -> Option<Result<Arc<TableFile>, Failure>> {
        let open = locked(&self.files);
        match open.files.get(table).filter(|_| open.snapshot_id == snapshot_id)? {
            Ok(file) => Some(Ok(Arc::clone(file))),
            Err((failure, at)) => (at.elapsed() < BACKOFF).then(|| Err(failure.clone())),
        }
    }

    fn keep(&self, snapshot_id: &str, table: &str, opened: &Result<Arc<TableFile>, Failure>) {
        let mut open = locked(&self.files);
        if open.snapshot_id != snapshot_id {
            *open = OpenFiles { snapshot_id: snapshot_id.to_owned(), ..OpenFiles::default() };
        }
        // A name that is no table's is not kept: there is no end of them.
        if !opened.as_ref().is_err_and(|failure| failure.code == ErrorCode::NotFound) {
            let opened = opened.clone().map_err(|failure| (failure, Instant::now()));
            open.files.insert(table.to_owned(), opened);
        }
    }

    /// Forgets open files, of which one is damaged.
    fn forget(&self) {
        locked(&self.files).files.clear();
    }

    fn admit(&self, client: Option<ClientId>) -> Result<(), Failure> {
        let mut clients = locked(&self.clients);
        let all: usize = clients.values().sum();
        let own = clients.get(&client).copied().unwrap_or_default();
        if all >= AT_ONCE || client.is_some() && own >= OF_ONE_CLIENT {
            self.refused.inc();
            let why = format!(
                "too many files are being downloaded: {AT_ONCE} at a time, {OF_ONE_CLIENT} by one client; \
                 ask again in {RETRY_AFTER_SECS} s"
            );
            return Err(Failure::new(ErrorCode::Busy, why).after(RETRY_AFTER_SECS));
        }
        clients.insert(client, own + 1);
        Ok(())
    }

    fn leave(&self, client: &Option<ClientId>) {
        let mut clients = locked(&self.clients);
        if let Some(count) = clients.get_mut(client) {
            *count -= 1;
            if *count == 0 {
                clients.remove(client);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServingState {
    /// The file of a table of the snapshot served now.
    pub(crate) async fn table_file(&self, table: &str) -> Result<Arc<TableFile>, Failure> {
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is served");
        let id = self.dataset().map(|dataset| dataset.snapshot_id().to_owned()).ok_or_else(none)?;
        if let Some(found) = self.downloads.found(&id, table) {
            return found;
        }
        let _turn = self.downloads.opening.lock().await;
        if let Some(found) = self.downloads.found(&id, table) {
            return found;
        }
        let opened = self.pins().table_file(&id, table).await;
        let opened =
            opened.map(|(file, sha256)| Arc::new(TableFile { snapshot_id: id.clone(), sha256, file }));
        self.downloads.keep(&id, table, &opened);
        opened
    }

    /// The content of a file for a client, if there is room for another download.
    pub(crate) fn send(
        self: &Arc<Self>,
        file: Arc<TableFile>,
        client: Option<ClientId>,
    ) -> Result<Body, Failure> {
        self.downloads.admit(client.clone())?;
        Ok(Body::new(FileBody { file, at: 0, reading: None, client, served: Arc::clone(self) }))
    }
}

/// A file on its way.
struct FileBody {
    file: Arc<TableFile>,
    /// Bytes that were handed over.
    at: u64,
    reading: Option<JoinHandle<io::Result<Bytes>>>,
    client: Option<ClientId>,
    served: Arc<ServingState>,
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let (at, bytes) = (self.at, self.file.bytes());
        if at == bytes {
            return Poll::Ready(None);
        }
        let file = Arc::clone(&self.file);
        let reading = self.reading.get_or_insert_with(|| {
            tokio::task::spawn_blocking(move || file.file.read(at..bytes.min(at + PIECE)))
        });
        let read = ready!(Pin::new(reading).poll(cx)).unwrap_or_else(|ended| Err(io::Error::other(ended)));
        self.reading = None;
        match read {
            Ok(piece) => {
                self.at += piece.len() as u64;
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            // The client is sent fewer bytes than it was promised.
            Err(error) => {
                let snapshot = self.file.snapshot_id.as_str();
                tracing::error!(%error, snapshot, "failed to read a table that is being downloaded");
                self.served.downloads.forget();
                self.served.report_damage(snapshot);
                Poll::Ready(Some(Err(error)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.at == self.file.bytes()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.file.bytes() - self.at)
    }
}

impl Drop for FileBody {
    fn drop(&mut self) {
        self.served.downloads.leave(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_downloads_go_on_at_a_time_and_so_many_of_one_client() {
        let downloads = TableDownloads::default();
        let client = |n: usize| Some(ClientId::named(&n.to_string()));
        for n in 0..AT_ONCE {
            downloads.admit(client(n / OF_ONE_CLIENT)).unwrap();
        }
        assert_eq!((downloads.count(), downloads.refused.get()), (AT_ONCE, 0));
        downloads.admit(client(AT_ONCE)).unwrap_err();
        downloads.leave(&client(1));
        let refused = downloads.admit(client(0)).unwrap_err();
        assert_eq!((refused.code, refused.retry_after), (ErrorCode::Busy, Some(RETRY_AFTER_SECS)));
        downloads.admit(client(1)).unwrap();
        (0..AT_ONCE).for_each(|n| downloads.leave(&client(n / OF_ONE_CLIENT)));
        assert!(downloads.count() == 0 && locked(&downloads.clients).is_empty());
    }
}
