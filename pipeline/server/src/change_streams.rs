//! Streams of what publications changed: who has one, the order of publications, and the changes between two snapshots, which are
//! read once for all streams and kept, while the tables are not.

mod event_stream;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use fdna_api::{ErrorCode, Failure};
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;
use fdna_view::change_stream::{ChangeSource, NewChanges, PublicationHistory, StreamPosition};
use fdna_view::error_chain;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::sync::{Semaphore, watch};

use crate::blocking::blocking;
use crate::client::ClientId;
use crate::client_slots::ClientSlots;
use event_stream::{EventStream, StreamGap};

/// Streams at a time: half of the connections that a server takes by default.
const AT_ONCE: usize = 512;
/// The same of one client.
const OF_ONE_CLIENT: usize = 16;
/// Until when who found no room may ask again.
const RETRY_AFTER_SECS: u32 = 30;
/// Bytes of changes that are kept.
const MAX_BYTES: u64 = 64 << 20;

/// A list, and the ids of two snapshots.
type ChangesKey = (Box<str>, Box<str>, Box<str>);

/// All streams of a server.
#[derive(Debug)]
pub(crate) struct ChangeStreams {
    state: watch::Sender<StreamsState>,
    changes: Cache<ChangesKey, Arc<NewChanges>, Weight>,
    /// To read two snapshots takes a processor and the memory of their tables: one pair at a time.
    reading: Semaphore,
    pub(crate) slots: Arc<ClientSlots>,
}

/// What all streams wait for.
#[derive(Clone, Default)]
struct StreamsState {
    /// Once it is known.
    published: Option<(Arc<dyn ChangeSource>, Arc<PublicationHistory>)>,
    /// That the server stops.
    is_leaving: bool,
}

impl std::fmt::Debug for StreamsState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StreamsState({:?})", self.published.as_ref().map(|(_, history)| history))
    }
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<ChangesKey, Arc<NewChanges>> for Weight {
    fn weight(&self, _: &ChangesKey, changes: &Arc<NewChanges>) -> u64 {
        changes.bytes() + 256
    }
}

impl Default for ChangeStreams {
    fn default() -> Self {
        let mut options = OptionsBuilder::new();
        options.shards(1).estimated_items_capacity(1024).weight_capacity(MAX_BYTES);
        // Only what is left out makes it fail.
        let options = options.build().unwrap_or_else(|never| unreachable!("{never}"));
        let (hashes, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self {
            state: watch::Sender::default(),
            changes: Cache::with_options(options, Weight, hashes, lifecycle),
            reading: Semaphore::new(1),
            slots: ClientSlots::new(AT_ONCE, OF_ONE_CLIENT),
        }
    }
}

impl ChangeStreams {
    /// Follows the publications for ever. `served` is the id of the snapshot that is served now.
    pub(crate) async fn follow(
        self: Arc<Self>,
        source: Arc<dyn ChangeSource>,
        every: Duration,
        served: impl Fn() -> Option<String>,
    ) {
        let (mut seen, mut problem) = (None, String::new());
        loop {
            match read_history(&source, served(), &seen).await {
                Ok(Some((revision, history))) => {
                    seen = Some(revision);
                    problem.clear();
                    let published = Some((Arc::clone(&source), Arc::new(history)));
                    self.state.send_modify(|state| state.published = published);
                }
                Ok(None) => {}
                Err(error) => {
                    let text = error_chain(&error);
                    if problem != text {
                        tracing::error!(problem = %text, "streams of changes stay where they are");
                        problem = text;
                    }
                }
            }
            tokio::time::sleep(every).await;
        }
    }

    /// Ends all streams, so that their clients connect to another host, or again.
    pub(crate) fn leave(&self) {
        self.state.send_modify(|state| state.is_leaving = true);
    }

    /// A stream of a list for a client.
    ///
    /// # Errors
    /// 400: the id is none. 503: no snapshot is served yet, or there are too many streams.
    pub(crate) async fn open(
        self: &Arc<Self>,
        list: &str,
        last: Option<StreamPosition>,
        client: Option<ClientId>,
    ) -> Result<Response<Body>, Failure> {
        let mut state = self.state.subscribe();
        let is_known = |state: &StreamsState| state.published.is_some() || state.is_leaving;
        // A browser that is refused does not ask again, so that one that comes too early waits.
        let _ = tokio::time::timeout(HOST_ANSWER_WAIT, state.wait_for(is_known)).await;
        let history = self.state.borrow().published.as_ref().map(|(_, history)| Arc::clone(history));
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is served yet");
        let history = history.ok_or_else(none)?;
        let slot = self.slots.take(client).ok_or_else(|| {
            let why = format!(
                "too many streams are open: {AT_ONCE} at a time, {OF_ONE_CLIENT} of one client; \
                 ask again in {RETRY_AFTER_SECS} s"
            );
            Failure::new(ErrorCode::Busy, why).after(RETRY_AFTER_SECS)
        })?;
        Ok(EventStream::new(Arc::clone(self), list, state, &history, last, slot).response())
    }

    /// The changes that `after` has and `before` has not. To read them goes on where the client that waits for it is gone, so that
    /// who asks next finds them.
    async fn changes(
        self: &Arc<Self>,
        source: &Arc<dyn ChangeSource>,
        ids: [&str; 3],
    ) -> Result<Arc<NewChanges>, StreamGap> {
        let (streams, source, [list, before, after]) =
            (Arc::clone(self), Arc::clone(source), ids.map(Box::from));
        let key = (list, before, after);
        if let Some(kept) = self.changes.get(&key) {
            return Ok(kept);
        }
        let reading =
            async move { streams.changes.get_or_insert_async(&key, streams.read(source, &key)).await };
        tokio::spawn(reading).await.unwrap_or(Err(StreamGap::NotReadable))
    }

    /// In turn, off the async threads.
    async fn read(
        &self,
        source: Arc<dyn ChangeSource>,
        key: &ChangesKey,
    ) -> Result<Arc<NewChanges>, StreamGap> {
        let _permit = self.reading.acquire().await;
        let (list, before, after) = key.clone();
        match blocking(move || source.new_changes(&list, &before, &after)).await {
            Ok(Some(changes)) => Ok(Arc::new(changes)),
            Ok(None) => Err(StreamGap::NotKept),
            Err(error) => {
                let (_, from, to) = key;
                tracing::error!(%from, %to, problem = %error_chain(&error), "failed to read what a publication changed");
                Err(StreamGap::NotReadable)
            }
        }
    }
}

/// The history where it is another than when it was last read: which one, and itself.
async fn read_history(
    source: &Arc<dyn ChangeSource>,
    served: Option<String>,
    seen: &Option<(String, String)>,
) -> Result<Option<((String, String), PublicationHistory)>, fdna_view::LoadError> {
    let Some(served) = served else { return Ok(None) };
    let (source, seen) = (Arc::clone(source), seen.clone());
    blocking(move || {
        let revision = (served, source.revision()?);
        if seen.as_ref() == Some(&revision) {
            return Ok(None);
        }
        let history = source.publications(&revision.0)?;
        Ok(Some((revision, history)))
    })
    .await
}
