//! A connection to a canonical host that is used again and again, with the clock that its host answers by.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue};
use tokio::time::{Instant, Sleep, sleep_until};

use super::head::Head;
use super::stream::Stream;
use super::wire::{Wire, WireError};
use super::{BodyError, Fault, Question};

/// Bytes of a body that are waited for.
const BEGINNING: usize = 64 * 1024;

/// A connection and its timer, which is put later with each request: to make one for each would cost more.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) wire: Wire,
    timer: Pin<Box<Sleep>>,
    /// The timer runs because the host sends nothing of a body.
    is_silent: bool,
    /// When it was last of use, but for the time of a short answer.
    since: Instant,
}

impl Line {
    pub(super) fn over(stream: Stream, now: Instant) -> Box<Self> {
        let timer = Box::pin(sleep_until(now));
        Box::new(Self { wire: Wire::over(stream), timer, is_silent: false, since: now })
    }

    /// Asks the host, with these headers of the gateway's own, and waits for the head of its answer and the whole of a short body, or the beginning
    /// of a long one: a host that fails early fails before the client has seen a byte.
    pub(super) async fn ask(
        &mut self,
        question: &Question<'_>,
        own: &[(HeaderName, HeaderValue)],
        deadline: Instant,
    ) -> Result<(Head, Bytes), Fault> {
        self.since = question.asked;
        self.timer.as_mut().reset(deadline);
        let (wire, timer) = (&mut self.wire, &mut self.timer);
        let mut beginning = pin!(begin(wire, question, own));
        poll_fn(|cx| match beginning.as_mut().poll(cx) {
            Poll::Pending => timer.as_mut().poll(cx).map(|()| Err(Fault::Late)),
            ready => ready,
        })
        .await
    }

    /// The next piece of the answer's body, unless the host is silent for so long.
    pub(super) fn poll_piece(
        &mut self,
        cx: &mut Context<'_>,
        silence: Duration,
    ) -> Poll<Option<Result<Bytes, BodyError>>> {
        if let Poll::Ready(piece) = self.wire.poll_piece(cx) {
            self.is_silent = false;
            if self.wire.is_over() {
                self.since = Instant::now();
            }
            return Poll::Ready(piece.map(|piece| Ok(piece?)));
        }
        if !std::mem::replace(&mut self.is_silent, true) {
            self.timer.as_mut().reset(Instant::now() + silence);
        }
        self.timer.as_mut().poll(cx).map(|()| Some(Err(BodyError::Silent)))
    }

    /// Whether nobody needed it for so long.
    pub(super) fn is_old(&self, kept: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.since) >= kept
    }
}

async fn begin(
    wire: &mut Wire,
    question: &Question<'_>,
    own: &[(HeaderName, HeaderValue)],
) -> Result<(Head, Bytes), Fault> {
    let head = wire.ask(question, own).await.map_err(|error| match error {
        WireError::Unsent(error) => Fault::Unsent(error),
        error => Fault::Broken(error),
    })?;
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Fault::Switched);
    }
    let mut begun = Bytes::new();
    while !wire.is_over() && begun.len() < BEGINNING {
        if let Some(piece) = poll_fn(|cx| wire.poll_piece(cx)).await {
            begun = joined(begun, piece.map_err(Fault::Cut)?);
        }
    }
    Ok((head, begun))
}

/// Most bodies come in one piece, which is not copied.
fn joined(begun: Bytes, data: Bytes) -> Bytes {
    if begun.is_empty() {
        return data;
    }
    let mut both = BytesMut::from(begun);
    both.extend_from_slice(&data);
    both.freeze()
}
