//! Streams of the changes of an account, as server-sent events: without personal data, each with its number as its id. A stream
//! reads the list of changes when there is something new in it, so that a slow client has no buffer of its own.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum_core::body::Body;
use bytes::Bytes;
use chrono::SecondsFormat;
use fdna_gateway::webhooks::{
    ChangeFeed, ChangeStream, OpeningStream, StreamError, StreamEvent, StreamSource,
};
use fdna_http::upstream_timeouts::STREAM_HEARTBEAT;
use fdna_http::{X_API_VERSION, set_common_headers};
use futures_util::stream::unfold;
use hyper::Response;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

use crate::key_ring::KeyRing;
use crate::refusal::{Code, LEADS_API, Refusal};
use crate::store::changes::LeadChange;
use crate::store::{LeadStore, StoreError};

/// Streams at a time, and of one account.
const AT_ONCE: usize = 128;
const OF_ONE_ACCOUNT: usize = 8;
/// Until when who found no room may ask again.
const RETRY_AFTER_SECS: i64 = 30;
/// After which time a client asks again whose stream ended.
const RETRY: Duration = Duration::from_secs(5);
/// How long a stream lasts, at most.
const LIFETIME: Duration = Duration::from_secs(3600);
/// Changes that are read at a time.
const PAGE: u32 = 100;
/// Changes of a moment are numbered together.
const GATHERING: Duration = Duration::from_millis(20);
/// Between two looks at what other processes changed.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// The store must have answered within this time.
const STORE_TIMEOUT: Duration = Duration::from_secs(8);

/// Proxies of nginx would hold events back.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// All streams of a server.
#[derive(Debug, Default)]
pub(crate) struct ChangeStreams {
    state: watch::Sender<StreamsState>,
    /// Of each account, how many there are.
    accounts: Mutex<HashMap<Arc<str>, usize>>,
}

/// What all streams wait for.
#[derive(Debug, Default, Clone, Copy)]
struct StreamsState {
    /// Another whenever there are new changes.
    mark: i64,
    is_leaving: bool,
}

impl ChangeStreams {
    fn accounts(&self) -> MutexGuard<'_, HashMap<Arc<str>, usize>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all streams, so that their clients connect to another server, or again.
    pub(crate) fn leave(&self) {
        self.state.send_modify(|state| state.is_leaving = true);
    }

    /// Tells streams of new changes, until told to stop.
    pub(crate) async fn follow(self: Arc<Self>, store: LeadStore, mut stopped: watch::Receiver<bool>) {
        let mut has_failed = false;
        loop {
            let rest = async {
                let _ = tokio::time::timeout(LOOK_INTERVAL, store.wait_for_write()).await;
                tokio::time::sleep(GATHERING).await;
            };
            tokio::select! {
                () = rest => {}
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
            if self.state.receiver_count() == 0 {
                continue;
            }
            let looked = async {
                store.number_changes().await?;
                store.changes_mark().await
            };
            match looked.await {
                Ok(mark) => {
                    has_failed = false;
                    self.state.send_if_modified(|state| std::mem::replace(&mut state.mark, mark) != mark);
                }
                Err(error) => {
                    if !has_failed {
                        let error = &error as &dyn std::error::Error;
                        tracing::error!(error, "streams of changes stay where they are");
                    }
                    has_failed = true;
                }
            }
        }
    }

    fn take_slot(self: &Arc<Self>, account: &Arc<str>) -> Result<StreamSlot, Refusal> {
        let mut accounts = self.accounts();
        let (all, own) =
            (accounts.values().sum::<usize>(), accounts.get(account).copied().unwrap_or_default());
        if all >= AT_ONCE || own >= OF_ONE_ACCOUNT {
            let message = format!(
                "Too many streams are open: there are {AT_ONCE} at a time, and {OF_ONE_ACCOUNT} of one account"
            );
            return Err(Refusal { retry_after: Some(RETRY_AFTER_SECS), ..Refusal::new(Code::Busy, message) });
        }
        accounts.insert(Arc::clone(account), own + 1);
        Ok(StreamSlot { account: Arc::clone(account), streams: Arc::clone(self) })
    }
}

/// A place among the streams, until it is dropped.
struct StreamSlot {
    account: Arc<str>,
    streams: Arc<ChangeStreams>,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut accounts = self.streams.accounts();
        if let Some(count) = accounts.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                accounts.remove(&self.account);
            }
        }
    }
}

/// Who reads a stream, and of what.
pub(crate) struct StreamReader {
    pub(crate) store: LeadStore,
    pub(crate) account: Arc<str>,
    /// Whether the reader may go on.
    pub(crate) may_read: Box<dyn Fn() -> bool + Send + Sync>,
}

/// What a stream tells.
enum StreamedEvent {
    /// From behind this number on.
    Position(i64),
    Change(LeadChange),
    /// Changes behind the position cannot be told; it goes on behind this number.
    Reset {
        reason: &'static str,
        position: i64,
        newest: i64,
    },
    /// Nothing for a while.
    Heartbeat,
}

/// The stream of one reader.
struct EventStream {
    reader: StreamReader,
    state: watch::Receiver<StreamsState>,
    position: i64,
    /// Sent before anything is waited for.
    opening: Option<StreamedEvent>,
    pending: VecDeque<LeadChange>,
    ends_at: Instant,
    /// What is taken as long as it is read.
    _slot: Option<StreamSlot>,
}

/// Opens a stream of a client behind a change, or behind the newest.
///
/// # Errors
/// 503: there are too many streams.
pub(crate) fn open_stream(
    streams: &Arc<ChangeStreams>,
    reader: StreamReader,
    last: Option<i64>,
    newest: i64,
    request_id: Uuid,
) -> Result<Response<Body>, Refusal> {
    let slot = streams.take_slot(&reader.account)?;
    let stream = EventStream::new(streams, reader, last, newest, Some(slot));
    // Clients take a block of it alone for an event without data.
    let retry = format!("retry: {}\n", RETRY.as_millis());
    let events = unfold((stream, retry), |(mut stream, retry)| async move {
        let event = stream.next_event().await?;
        let text = retry + &event_text(&event, &stream.reader.account);
        Some((Ok::<_, Infallible>(Bytes::from(text)), (stream, String::new())))
    });
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    set_common_headers(headers, request_id);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    headers.insert(X_API_VERSION, HeaderValue::from_static(LEADS_API.version));
    Ok(response)
}

impl EventStream {
    fn new(
        streams: &ChangeStreams,
        reader: StreamReader,
        last: Option<i64>,
        newest: i64,
        slot: Option<StreamSlot>,
    ) -> Self {
        Self {
            reader,
            state: streams.state.subscribe(),
            position: last.unwrap_or(newest),
            opening: last.is_none().then_some(StreamedEvent::Position(newest)),
            pending: VecDeque::new(),
            ends_at: Instant::now() + LIFETIME,
            _slot: slot,
        }
    }

    /// The next event; `None` where the stream ends.
    async fn next_event(&mut self) -> Option<StreamedEvent> {
        if let Some(opening) = self.opening.take() {
            return Some(opening);
        }
        loop {
            if let Some(change) = self.pending.pop_front() {
                self.position = change.seq;
                return Some(StreamedEvent::Change(change));
            }
            let is_leaving = self.state.borrow_and_update().is_leaving;
            if is_leaving || !(self.reader.may_read)() || Instant::now() >= self.ends_at {
                return None;
            }
            let page = self.reader.store.list_changes(&self.reader.account, self.position, PAGE);
            let page = match tokio::time::timeout(STORE_TIMEOUT, page).await {
                Ok(Ok(page)) => page,
                Ok(Err(error)) => {
                    tracing::error!(error = &error as &dyn std::error::Error, "a stream of changes ended");
                    return None;
                }
                Err(_) => return None,
            };
            let gap = match self.position {
                position if position > page.last => Some("event_not_known"),
                position if position < page.forgotten => Some("changes_not_kept"),
                _ => None,
            };
            if let Some(reason) = gap {
                let position = std::mem::replace(&mut self.position, page.last);
                return Some(StreamedEvent::Reset { reason, position, newest: page.last });
            }
            self.pending = page.changes.into();
            if self.pending.is_empty() {
                let until = self.ends_at.min(Instant::now() + STREAM_HEARTBEAT);
                if tokio::time::timeout_at(until, self.state.changed()).await.is_err() {
                    return Some(StreamedEvent::Heartbeat);
                }
            }
        }
    }
}

fn event_text(event: &StreamedEvent, account: &str) -> String {
    let (name, id, data) = match event {
        StreamedEvent::Heartbeat => return ": heartbeat\n\n".to_owned(),
        StreamedEvent::Position(seq) => ("position", *seq, json!({ "seq": seq })),
        StreamedEvent::Change(change) => ("change", change.seq, change_record(change, account)),
        StreamedEvent::Reset { reason, position, newest } => {
            ("reset", *newest, reset_record(reason, position.to_string(), *newest))
        }
    };
    format!("id: {id}\nevent: {name}\ndata: {data}\n\n")
}

fn reset_record(reason: &str, last_event_id: String, newest: i64) -> Value {
    json!({"reason": reason, "last_event_id": last_event_id, "seq": newest})
}

/// Before the number of a change, in the id of a message.
const MESSAGE_ID: &str = "leads:";

/// The changes that endpoints of webhooks are sent.
pub(crate) struct WebhookFeed {
    pub(crate) store: LeadStore,
    pub(crate) streams: Arc<ChangeStreams>,
    pub(crate) keys: Arc<ArcSwap<KeyRing>>,
}

impl ChangeFeed for WebhookFeed {
    fn open_stream<'a>(&'a self, source: &'a StreamSource<'a>) -> OpeningStream<'a> {
        Box::pin(async move {
            let id = source.account_id;
            let account = self.keys.load().account_name(id).ok_or(StreamError::NoHost)?;
            let number = |id: &str| id.strip_prefix(MESSAGE_ID)?.parse::<i64>().ok();
            let last = source.last_event_id.map(|id| number(id).ok_or(StreamError::PositionRefused));
            let last = last.transpose()?;
            let newest = async {
                self.store.number_changes().await?;
                Ok::<_, StoreError>(self.store.list_changes(&account, i64::MAX, 1).await?.last)
            };
            let newest = newest.await.map_err(|error| {
                tracing::error!(error = &error as &dyn std::error::Error, "changes cannot be sent");
                StreamError::NoHost
            })?;
            let keys = Arc::clone(&self.keys);
            let may_read = Box::new(move || keys.load().account_name(id).is_some());
            let reader = StreamReader { store: self.store.clone(), account, may_read };
            let stream = EventStream::new(&self.streams, reader, last, newest, None);
            Ok(ChangeStream::new(unfold(stream, |mut stream| async move {
                let event = stream.next_event().await?;
                Some((Ok(message_of(&event, &stream.reader.account)), stream))
            })))
        })
    }
}

fn message_of(event: &StreamedEvent, account: &str) -> StreamEvent {
    let id = |seq: &i64| format!("{MESSAGE_ID}{seq}");
    match event {
        StreamedEvent::Heartbeat => StreamEvent::Other,
        StreamedEvent::Position(seq) => StreamEvent::Snapshot { id: id(seq) },
        StreamedEvent::Change(change) => StreamEvent::Message {
            kind: kind_of(change),
            id: id(&change.seq),
            data: change_record(change, account).to_string(),
        },
        StreamedEvent::Reset { reason, position, newest } => StreamEvent::Message {
            kind: "lead.reset".to_owned(),
            id: id(newest),
            data: reset_record(reason, id(position), *newest).to_string(),
        },
    }
}

fn kind_of(change: &LeadChange) -> String {
    format!("lead.{}", change.action.name())
}

/// A change as lists, streams and webhooks tell it.
pub(crate) fn change_record(change: &LeadChange, account: &str) -> Value {
    json!({
        "seq": change.seq,
        "type": kind_of(change),
        "lead_id": change.lead.to_string(),
        "account": account,
        "at": change.at.to_rfc3339_opts(SecondsFormat::Micros, true)
    })
}
