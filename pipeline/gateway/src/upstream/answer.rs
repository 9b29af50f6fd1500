//! A canonical host's answer: its beginning is waited for, so that a host that fails early fails before the client has
//! seen a byte; the rest is passed on as it comes.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::{Response, StatusCode};
use tokio::time::{Sleep, sleep};

use super::Fault;
use super::host::Lease;

/// Bytes of a body that are waited for.
const BEGINNING: usize = 64 * 1024;

/// Why a body ends before its end: the client's connection is closed, so that it can tell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("read the canonical host's body")]
    Read(#[from] hyper::Error),
    #[error("read the canonical host's body in time")]
    Silent,
}

/// What has come of a body, and the rest of it.
#[derive(Debug)]
pub(crate) struct AnswerBody {
    begun: Bytes,
    rest: Option<Rest>,
    silence: Duration,
    /// Runs while the host sends nothing.
    silent: Option<Pin<Box<Sleep>>>,
}

/// What is still to come, and the line that it comes over.
#[derive(Debug)]
struct Rest {
    body: Incoming,
    lease: Lease,
}

/// Waits for the whole of a short body, or the beginning of a long one.
pub(super) async fn begin(
    response: Response<Incoming>,
    lease: Lease,
    silence: Duration,
) -> Result<Response<AnswerBody>, Fault> {
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Fault::Switched);
    }
    let (parts, body) = response.into_parts();
    let (mut begun, mut rest) = (Bytes::new(), Rest { body, lease });
    let mut is_whole = rest.body.is_end_stream();
    while !is_whole && begun.len() < BEGINNING {
        match poll_fn(|cx| rest.poll_frame(cx)).await {
            Some(frame) => {
                if let Ok(data) = frame.map_err(Fault::Cut)?.into_data() {
                    begun = joined(begun, data);
                }
                is_whole = rest.body.is_end_stream();
            }
            None => is_whole = true,
        }
    }
    let mut answer = AnswerBody { begun, rest: None, silence, silent: None };
    if is_whole {
        rest.end();
    } else {
        answer.rest = Some(rest);
    }
    Ok(Response::from_parts(parts, answer))
}

impl Rest {
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.lease.line.poll_frame(&mut self.body, cx)
    }

    /// Nothing more comes: the line is free for another.
    fn end(self) {
        self.lease.line.hush();
        drop(self.body);
        self.lease.give_back();
    }
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

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = self.get_mut();
        if !this.begun.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut this.begun)))));
        }
        let Some(rest) = &mut this.rest else { return Poll::Ready(None) };
        let Poll::Ready(frame) = rest.poll_frame(cx) else {
            let silence = this.silence;
            let silent = this.silent.get_or_insert_with(|| Box::pin(sleep(silence)));
            return silent.as_mut().poll(cx).map(|()| Some(Err(BodyError::Silent)));
        };
        this.silent = None;
        let is_over = match &frame {
            Some(Ok(_)) => rest.body.is_end_stream(),
            Some(Err(_)) => false,
            None => true,
        };
        if is_over && let Some(rest) = this.rest.take() {
            rest.end();
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BodyError::from)))
    }

    fn is_end_stream(&self) -> bool {
        self.begun.is_empty() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let begun = self.begun.len() as u64;
        let rest = self.rest.as_ref().map_or_else(|| SizeHint::with_exact(0), |rest| rest.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest.lower() + begun);
        if let Some(upper) = rest.upper() {
            hint.set_upper(upper + begun);
        }
        hint
    }
}
