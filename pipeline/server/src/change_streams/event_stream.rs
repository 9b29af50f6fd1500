//! One client's stream. The next event is made when the one before it was taken, so that a slow client has no buffer of its own.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, HeaderValue, Response};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use fdna_api::{PublishedChanges, StreamReset};
use fdna_http::upstream_timeouts::STREAM_HEARTBEAT;
use fdna_view::change_stream::{
    NewChanges, NextEvents, PublicationHistory, PublicationId, PublishedSnapshot, StreamPosition,
};
use fdna_view::dataset::instant_text;
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{ChangeStreams, StreamsState};
use crate::client_slots::ClientSlot;

/// After which time a client asks again whose stream ended.
const RETRY: Duration = Duration::from_secs(5);
/// How long a stream lasts, at most: who lost the right to it is found out when it is asked for again.
const LIFETIME: Duration = Duration::from_secs(3600);

/// Proxies of nginx would hold events back.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Why changes behind a position cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamGap {
    NotKept,
    NotReadable,
    /// No event ever had the id.
    NoSuchEvent,
}

impl StreamGap {
    fn name(self) -> &'static str {
        match self {
            Self::NotKept => "snapshot_not_kept",
            Self::NotReadable => "snapshot_not_readable",
            Self::NoSuchEvent => "event_not_known",
        }
    }
}

/// What is left to be sent of a publication.
struct PendingEvents {
    publication: PublishedSnapshot,
    changes: Arc<NewChanges>,
    sent: usize,
}

/// A stream of events.
pub(super) struct EventStream {
    streams: Arc<ChangeStreams>,
    list: Box<str>,
    state: watch::Receiver<StreamsState>,
    position: StreamPosition,
    /// Sent before anything is waited for.
    opening: Option<Event>,
    /// Goes with the first event: clients take a block of it alone for an event without data.
    retry: Option<Duration>,
    pending: Option<PendingEvents>,
    ends_at: Instant,
    _slot: ClientSlot,
}

impl EventStream {
    /// From behind an event, or from the snapshot that is served.
    pub(super) fn new(
        streams: Arc<ChangeStreams>,
        list: &str,
        state: watch::Receiver<StreamsState>,
        history: &PublicationHistory,
        last: Option<StreamPosition>,
        slot: ClientSlot,
    ) -> Self {
        let served = history.served();
        let opening = last.is_none().then(|| published(served, None));
        Self {
            streams,
            list: list.into(),
            state,
            position: last.unwrap_or_else(|| StreamPosition::at_end_of(&served.id)),
            opening,
            retry: Some(RETRY),
            pending: None,
            ends_at: Instant::now() + LIFETIME,
            _slot: slot,
        }
    }

    pub(super) fn response(self) -> Response<Body> {
        let events = unfold(self, |mut stream| async move {
            let event = stream.next().await?;
            Some((Ok::<_, Infallible>(event), stream))
        });
        let heartbeat = KeepAlive::new().interval(STREAM_HEARTBEAT).text("heartbeat");
        let mut response = Sse::new(events).keep_alive(heartbeat).into_response();
        let headers = response.headers_mut();
        fdna_http::set_common_headers(headers, fdna_http::request_id());
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
        response
    }

    /// The next event; `None` where the stream ends.
    async fn next(&mut self) -> Option<Event> {
        let event = match self.opening.take() {
            Some(event) => event,
            None => self.next_published().await?,
        };
        Some(self.retry.take().into_iter().fold(event, Event::retry))
    }

    /// The next event of a publication, once there is one.
    async fn next_published(&mut self) -> Option<Event> {
        loop {
            let state = self.state.borrow_and_update().clone();
            if state.is_leaving || Instant::now() >= self.ends_at {
                return None;
            }
            if let Some(event) = self.next_pending() {
                return Some(event);
            }
            let (source, history) = state.published?;
            match history.next(&self.position) {
                NextEvents::Wait => {
                    let changed = tokio::time::timeout_at(self.ends_at, self.state.changed());
                    changed.await.ok()?.ok()?;
                }
                NextEvents::Unknown => return Some(self.reset(&history, StreamGap::NotKept)),
                NextEvents::Of { publication, before, sent } => {
                    let ids = before.map(|before| [&*self.list, before, &*publication.id.snapshot]);
                    let changes = match ids {
                        None => Ok(Arc::default()),
                        Some(ids) => tokio::select! {
                            changes = self.streams.changes(&source, ids) => changes,
                            () = leaving(self.state.clone()) => return None,
                        },
                    };
                    match changes {
                        Ok(changes) if sent <= changes.rows.len() => {
                            let publication = publication.clone();
                            self.pending = Some(PendingEvents { publication, changes, sent });
                        }
                        Ok(_) => return Some(self.reset(&history, StreamGap::NoSuchEvent)),
                        Err(gap) => return Some(self.reset(&history, gap)),
                    }
                }
            }
        }
    }

    fn next_pending(&mut self) -> Option<Event> {
        let PendingEvents { publication, changes, sent } = self.pending.as_mut()?;
        let Some(row) = changes.rows.get(*sent) else {
            let event = published(publication, Some(changes.rows.len()));
            self.position = StreamPosition::at_end_of(&publication.id);
            self.pending = None;
            return Some(event);
        };
        *sent += 1;
        self.position = StreamPosition { publication: publication.id.clone(), sent: Some(*sent) };
        Some(Event::default().id(self.position.last_event().to_string()).event("change").data(row))
    }

    /// Goes on behind the snapshot that is served, and says what is missing.
    fn reset(&mut self, history: &PublicationHistory, gap: StreamGap) -> Event {
        let last = self.position.last_event().to_string();
        let served = &history.served().id;
        self.position = StreamPosition::at_end_of(served);
        let reset = StreamReset { reason: gap.name(), last_event_id: &last, snapshot_id: &served.snapshot };
        at_end("reset", served, &reset)
    }
}

/// Ends when the server stops.
async fn leaving(mut state: watch::Receiver<StreamsState>) {
    let _ = state.wait_for(|state| state.is_leaving).await;
}

/// All changes of a publication were sent, so many as are counted.
fn published(publication: &PublishedSnapshot, changes: Option<usize>) -> Event {
    let published_at = publication.at.map(instant_text);
    let data = PublishedChanges { snapshot_id: &publication.id.snapshot, published_at, changes };
    at_end("snapshot", &publication.id, &data)
}

fn at_end(name: &str, publication: &PublicationId, data: &impl Serialize) -> Event {
    let id = StreamPosition::at_end_of(publication).last_event().to_string();
    // A struct of texts and numbers is always written.
    Event::default().id(id).event(name).data(serde_json::to_string(data).unwrap_or_default())
}
