//! A canonical host's answer: its beginning is waited for, so that a host that fails early fails before the client has
//! seen a byte; the rest is passed on as it comes.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::body::{Body, Frame, SizeHint};
use hyper::{Response, StatusCode};
use tokio::time::{Sleep, sleep};

use super::Fault;
use super::head::Head;
use super::host::Lease;
use super::line::LineError;

/// Bytes of a body that are waited for.
const BEGINNING: usize = 64 * 1024;

/// Why a body ends before its end: the client's connection is closed, so that it can tell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("read the canonical host's body")]
    Read(#[from] LineError),
    #[error("read the canonical host's body in time")]
    Silent,
}

/// What has come of a body, and the line that the rest of it comes over.
#[derive(Debug)]
pub(crate) struct AnswerBody {
    begun: Bytes,
    rest: Option<Lease>,
    silence: Duration,
    /// Runs while the host sends nothing.
    silent: Option<Pin<Box<Sleep>>>,
}

/// Waits for the whole of a short body, or the beginning of a long one.
pub(super) async fn begin(
    head: Head,
    mut lease: Lease,
    silence: Duration,
) -> Result<Response<AnswerBody>, Fault> {
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Fault::Switched);
    }
    let mut begun = Bytes::new();
    while !lease.line.is_over() && begun.len() < BEGINNING {
        if let Some(piece) = poll_fn(|cx| lease.line.poll_piece(cx)).await {
            begun = joined(begun, piece.map_err(Fault::Cut)?);
        }
    }
    let mut answer = AnswerBody { begun, rest: None, silence, silent: None };
    if lease.line.is_over() {
        lease.give_back();
    } else {
        answer.rest = Some(lease);
    }
    let mut response = Response::new(answer);
    (*response.status_mut(), *response.headers_mut()) = (head.status, head.headers);
    Ok(response)
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
        let Poll::Ready(piece) = rest.line.poll_piece(cx) else {
            let silence = this.silence;
            let silent = this.silent.get_or_insert_with(|| Box::pin(sleep(silence)));
            return silent.as_mut().poll(cx).map(|()| Some(Err(BodyError::Silent)));
        };
        this.silent = None;
        if rest.line.is_over()
            && let Some(rest) = this.rest.take()
        {
            rest.give_back();
        }
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece?))))
    }

    fn is_end_stream(&self) -> bool {
        self.begun.is_empty() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let begun = self.begun.len() as u64;
        match self.rest.as_ref().map_or(Some(0), |rest| rest.line.left()) {
            Some(left) => SizeHint::with_exact(begun + left),
            None => {
                let mut hint = SizeHint::new();
                hint.set_lower(begun);
                hint
            }
        }
    }
}
