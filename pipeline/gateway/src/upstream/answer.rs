//! A canonical host's answer: its beginning is there, and the rest is passed on as it comes.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::HeaderMap;
use hyper::{Response, StatusCode};

use super::head::Head;
use super::host::Lease;
use super::wire::WireError;
use crate::headers::Back;

/// Why a body ends before its end: the client's connection is closed, so that it can tell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("read the canonical host's body")]
    Read(#[from] WireError),
    #[error("read the canonical host's body in time")]
    Silent,
}

/// What has come of a body, and the line that the rest of it comes over.
#[derive(Debug)]
pub(crate) struct AnswerBody {
    begun: Bytes,
    rest: Option<Lease>,
    silence: Duration,
}

/// An answer whose head has come, and something of its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    back: Back,
    body: AnswerBody,
}

impl Answer {
    pub(super) fn begun(head: Head, begun: Bytes, lease: Lease, silence: Duration) -> Self {
        let Head { status, back, .. } = head;
        Self { status, back, body: AnswerBody { begun, rest: lease.unless_over(), silence } }
    }

    /// Whether the host, or what stands before it, answers to the gateway rather than to the client: canonical hosts
    /// know nothing of clients' keys and limits.
    pub(super) fn refuses_the_gateway(&self) -> bool {
        matches!(self.status.as_u16(), 401 | 403 | 407 | 429)
    }

    /// As the client gets it, beneath the gateway's own headers.
    pub(crate) fn beneath(self, headers: HeaderMap) -> Response<AnswerBody> {
        let mut response = Response::new(self.body);
        (*response.status_mut(), *response.headers_mut()) = (self.status, self.back.onto(headers));
        response
    }
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
        let piece = std::task::ready!(rest.line.poll_piece(cx, this.silence));
        this.rest = this.rest.take().and_then(Lease::unless_over);
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.begun.is_empty() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let begun = self.begun.len() as u64;
        match self.rest.as_ref().map_or(Some(0), |rest| rest.line.wire.left()) {
            Some(left) => SizeHint::with_exact(begun + left),
            None => {
                let mut hint = SizeHint::new();
                hint.set_lower(begun);
                hint
            }
        }
    }
}
