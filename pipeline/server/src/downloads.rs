//! Files of tables of snapshots, for whoever downloads them: opened and checked once, and sent a piece at a time, to so many
//! clients at a time. However slowly one reads, a piece of the file is all that it holds.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use fdna_api::{ErrorCode, Failure};
use fdna_http::byte_ranges::BodySegment;
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;
use fdna_view::{VerifiedFile, has_csv};
use http_body::{Frame, SizeHint};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::client::ClientId;
use crate::client_slots::{ClientSlot, ClientSlots};
use crate::serving_state::ServingState;

/// Downloads at a time.
const AT_ONCE: usize = 256;
/// The same of one client: engines read a table over several connections.
const OF_ONE_CLIENT: usize = 32;
/// Until when who found no room may ask again.
const RETRY_AFTER_SECS: u32 = 10;
/// Bytes that are read at a time, at least: a multiple of the blocks of a file, of which each is checked once.
const MIN_PIECE: u64 = 128 << 10;
/// The same at most: larger pieces make one reader faster.
const MAX_PIECE: u64 = 512 << 10;
/// Bytes of pieces of all downloads, as long as they are larger than the smallest.
const ALL_PIECES: u64 = 4 << 20;
/// How long a file that could not be opened is left alone.
const BACKOFF: Duration = Duration::from_secs(60);
/// Files that stay open, at most: of a snapshot that leaves the lake, they hold their room on disk.
const MAX_OPEN: usize = 64;
/// How long a file stays open that nobody asks for, once another is opened.
const KEPT_OPEN: Duration = Duration::from_secs(600);

/// The Parquet file of a table.
#[derive(Debug)]
pub(crate) struct TableFile {
    pub(crate) snapshot_id: String,
    /// Of the table.
    pub(crate) name: String,
    /// Of all of it, as its snapshot's manifest says.
    pub(crate) sha256: String,
    pub(crate) file: VerifiedFile,
    /// Whether its rows are sent as CSV.
    pub(crate) has_csv: bool,
}

impl TableFile {
    /// How many bytes it has.
    pub(crate) fn bytes(&self) -> u64 {
        self.file.bytes()
    }
}

/// The files, and who is sent one.
#[derive(Debug)]
pub(crate) struct TableDownloads {
    files: Mutex<OpenFiles>,
    /// To read a file through takes a processor: one at a time.
    opening: Arc<tokio::sync::Mutex<()>>,
    pub(crate) slots: Arc<ClientSlots>,
}

/// Files by the id of the snapshot and the name of the table.
type OpenFiles = HashMap<(String, String), OpenFile>;

/// A file, or why it could not be opened.
#[derive(Debug)]
struct OpenFile {
    opened: Result<Arc<TableFile>, Failure>,
    /// When it was last asked for; of a failure, when it was tried.
    used_at: Instant,
}

impl Default for TableDownloads {
    fn default() -> Self {
        let (files, opening) = Default::default();
        Self { files, opening, slots: ClientSlots::new(AT_ONCE, OF_ONE_CLIENT) }
    }
}

impl TableDownloads {
    fn found(&self, snapshot_id: &str, table: &str) -> Option<Result<Arc<TableFile>, Failure>> {
        let mut files = locked(&self.files);
        let open = files.get_mut(&(snapshot_id.to_owned(), table.to_owned()))?;
        match &open.opened {
            Ok(file) => {
                open.used_at = Instant::now();
                Some(Ok(Arc::clone(file)))
            }
            Err(failure) => (open.used_at.elapsed() < BACKOFF).then(|| Err(failure.clone())),
        }
    }

    fn keep(&self, snapshot_id: &str, table: &str, opened: &Result<Arc<TableFile>, Failure>) {
        let is_unknown =
            |failure: &Failure| matches!(failure.code, ErrorCode::NotFound | ErrorCode::SnapshotNotFound);
        // Names that are no table's are not kept: there is no end of them.
        if opened.as_ref().is_err_and(is_unknown) {
            return;
        }
        let mut files = locked(&self.files);
        files.retain(|_, open| open.used_at.elapsed() < KEPT_OPEN);
        if files.len() >= MAX_OPEN {
            let unused = files.iter().min_by_key(|(_, open)| open.used_at).map(|(key, _)| key.clone());
            unused.map(|key| files.remove(&key));
        }
        let open = OpenFile { opened: opened.clone(), used_at: Instant::now() };
        files.insert((snapshot_id.to_owned(), table.to_owned()), open);
    }

    /// Forgets open files of a snapshot, of which one is damaged.
    fn forget(&self, snapshot_id: &str) {
        locked(&self.files).retain(|(id, _), _| id != snapshot_id);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServingState {
    /// The file of a table of this snapshot. An open one is given even where the snapshot has left the lake meanwhile.
    pub(crate) async fn table_file(
        self: &Arc<Self>,
        snapshot_id: &str,
        table: &str,
    ) -> Result<Arc<TableFile>, Failure> {
        if let Some(found) = self.downloads.found(snapshot_id, table) {
            return found;
        }
        let opening = async {
            let turn = Arc::clone(&self.downloads.opening).lock_owned().await;
            if let Some(found) = self.downloads.found(snapshot_id, table) {
                return found;
            }
            let (served, id, table) = (Arc::clone(self), snapshot_id.to_owned(), table.to_owned());
            // It goes on if who asked is gone, so that a file that takes long to check is open for who asks next.
            let opening = tokio::spawn(async move {
                let opened = served.open_table_file(&id, &table).await;
                served.downloads.keep(&id, &table, &opened);
                drop(turn);
                opened
            });
            opening
                .await
                .unwrap_or_else(|_| Err(Failure::new(ErrorCode::Internal, "file could not be opened")))
        };
        tokio::time::timeout(HOST_ANSWER_WAIT, opening).await.unwrap_or_else(|_| {
            self.downloads.slots.refused.inc();
            let why = format!("the file is still being checked; ask again in {RETRY_AFTER_SECS} s");
            Err(Failure::new(ErrorCode::Busy, why).after(RETRY_AFTER_SECS))
        })
    }

    async fn open_table_file(&self, snapshot_id: &str, table: &str) -> Result<Arc<TableFile>, Failure> {
        let tables = self.pins().manifest(snapshot_id).await?.tables;
        let entry = tables.iter().find(|entry| entry.name == table).ok_or_else(no_such_table)?;
        let has_csv = has_csv(entry);
        let (file, sha256) = self.pins().table_file(snapshot_id, table).await?;
        let (snapshot_id, name) = (snapshot_id.to_owned(), table.to_owned());
        Ok(Arc::new(TableFile { snapshot_id, name, sha256, file, has_csv }))
    }

    /// Room for another download of a client.
    pub(crate) fn admit_download(
        self: &Arc<Self>,
        client: Option<ClientId>,
    ) -> Result<DownloadPermit, Failure> {
        let slot = self.downloads.slots.take(client).ok_or_else(|| {
            let why = format!(
                "too many files are being downloaded: {AT_ONCE} at a time, {OF_ONE_CLIENT} by one client; \
                 ask again in {RETRY_AFTER_SECS} s"
            );
            Failure::new(ErrorCode::Busy, why).after(RETRY_AFTER_SECS)
        })?;
        Ok(DownloadPermit { served: Arc::clone(self), _slot: slot })
    }

    /// Pieces of a file and of text for a client, if there is room for another download.
    pub(crate) fn send(
        self: &Arc<Self>,
        file: Arc<TableFile>,
        segments: VecDeque<BodySegment>,
        client: Option<ClientId>,
    ) -> Result<Body, Failure> {
        let permit = self.admit_download(client)?;
        let left = segments.iter().map(BodySegment::length).sum();
        Ok(Body::new(FileBody { file, segments, left, reading: None, permit }))
    }
}

/// 404 for a name that is no table's.
pub(crate) fn no_such_table() -> Failure {
    Failure::new(ErrorCode::NotFound, "the snapshot has no such table")
}

/// Room for a download, until it is dropped.
pub(crate) struct DownloadPermit {
    served: Arc<ServingState>,
    _slot: ClientSlot,
}

impl DownloadPermit {
    /// Bytes of a piece while so many are sent files as now.
    fn piece_bytes(&self) -> u64 {
        piece_bytes(self.served.downloads.slots.count())
    }

    /// Reports that a file could not be read on, and forgets it.
    pub(crate) fn report_damage(&self, snapshot: &str, error: &io::Error) {
        tracing::error!(%error, snapshot, "failed to read a table that is being downloaded");
        self.served.downloads.forget(snapshot);
        self.served.report_damage(snapshot);
    }
}

fn piece_bytes(downloads: usize) -> u64 {
    (ALL_PIECES / downloads.next_power_of_two() as u64).clamp(MIN_PIECE, MAX_PIECE)
}

/// A file on its way.
struct FileBody {
    file: Arc<TableFile>,
    /// What is still to be handed over.
    segments: VecDeque<BodySegment>,
    /// How many bytes that is.
    left: u64,
    /// The piece that is being read, and where it ends.
    reading: Option<(u64, JoinHandle<io::Result<Bytes>>)>,
    permit: DownloadPermit,
}

impl FileBody {
    /// The next piece of the first segment. Pieces end where blocks of the file do.
    fn poll_piece(&mut self, range: &Range<u64>, cx: &mut Context<'_>) -> Poll<io::Result<Bytes>> {
        let end = match self.reading {
            Some((end, _)) => end,
            None => (range.start + 1).next_multiple_of(self.permit.piece_bytes()).min(range.end),
        };
        let (file, piece) = (&self.file, range.start..end);
        let (_, reading) = self.reading.get_or_insert_with(|| {
            let file = Arc::clone(file);
            (end, tokio::task::spawn_blocking(move || file.file.read_range(piece)))
        });
        let read = ready!(Pin::new(reading).poll(cx)).unwrap_or_else(|ended| Err(io::Error::other(ended)));
        self.reading = None;
        if end == range.end {
            self.segments.pop_front();
        } else if let Some(segment) = self.segments.front_mut() {
            *segment = BodySegment::File(end..range.end);
        }
        Poll::Ready(read)
    }
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let read = match self.segments.front().cloned() {
            None => return Poll::Ready(None),
            Some(BodySegment::Text(text)) => {
                self.segments.pop_front();
                Ok(text)
            }
            Some(BodySegment::File(range)) => ready!(self.poll_piece(&range, cx)),
        };
        match read {
            Ok(piece) => {
                self.left -= piece.len() as u64;
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            // The client is sent fewer bytes than it was promised.
            Err(error) => {
                self.permit.report_damage(&self.file.snapshot_id, &error);
                self.segments.clear();
                Poll::Ready(Some(Err(error)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.segments.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_many_downloads_are_small() {
        let pieces = [1, 4, 5, 8, 32, AT_ONCE].map(|downloads| piece_bytes(downloads) >> 10);
        assert_eq!(pieces, [512, 512, 512, 512, 128, 128]);
    }
}
