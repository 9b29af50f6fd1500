//! A canonical host's answer: its beginning is waited for, so that a host that fails early fails before the client has
//! seen a byte; the rest is passed on as it comes.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::{Response, StatusCode};
use tokio::time::{Sleep, sleep};

use super::Fault;

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
    rest: Option<Incoming>,
    silence: Duration,
    /// Runs while the host sends nothing.
    silent: Option<Pin<Box<Sleep>>>,
}

/// Waits for the whole of a short body, or the beginning of a long one.
pub(super) async fn begin(
    response: Response<Incoming>,
    silence: Duration,
) -> Result<Response<AnswerBody>, Fault> {
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Fault::Switched);
    }
    let (parts, mut body) = response.into_parts();
    let mut begun = Bytes::new();
    let mut is_whole = body.is_end_stream();
    while !is_whole && begun.len() < BEGINNING {
        match body.frame().await {
            Some(frame) => {
                if let Ok(data) = frame.map_err(Fault::Cut)?.into_data() {
                    begun = joined(begun, data);
                }
                is_whole = body.is_end_stream();
            }
            None => is_whole = true,
        }
    }
    let rest = (!is_whole).then_some(body);
    Ok(Response::from_parts(parts, AnswerBody { begun, rest, silence, silent: None }))
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
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if !self.begun.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.begun)))));
        }
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        match Pin::new(rest).poll_frame(cx) {
            Poll::Ready(frame) => {
                self.silent = None;
                Poll::Ready(frame.map(|frame| frame.map_err(BodyError::from)))
            }
            Poll::Pending => {
                let silence = self.silence;
                let silent = self.silent.get_or_insert_with(|| Box::pin(sleep(silence)));
                silent.as_mut().poll(cx).map(|()| Some(Err(BodyError::Silent)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.begun.is_empty() && self.rest.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let begun = self.begun.len() as u64;
        let rest = self.rest.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint);
        let mut hint = SizeHint::new();
        hint.set_lower(rest.lower() + begun);
        if let Some(upper) = rest.upper() {
            hint.set_upper(upper + begun);
        }
        hint
    }
}
