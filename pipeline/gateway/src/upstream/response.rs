//! An upstream's response. The start of its body is received before the response counts as one, so that an upstream
//! which fails early fails before the client has got a byte; the rest is streamed.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use fdna_http::is_event_stream;
use fdna_http::upstream_timeouts::STREAM_SILENCE;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};
use hyper::{Response, StatusCode};
use tokio::time::{Sleep, sleep};

use super::error::UpstreamError;
use super::host::InFlightGuard;

/// Bytes of a body that are received before the response is passed on.
const START_BYTES: usize = 64 * 1024;

/// Why a body ends early. The client's connection is closed, so that the client can tell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UpstreamBodyError {
    #[error("cannot receive the upstream's body")]
    Receive(#[from] hyper::Error),
    #[error("cannot receive the upstream's body in time")]
    Timeout,
}

/// A response whose head and first body bytes have arrived.
#[derive(Debug)]
pub(crate) struct UpstreamResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: UpstreamBody,
}

/// The received start of a body, and the rest that is still to come.
#[derive(Debug)]
pub(crate) struct UpstreamBody {
    start: Bytes,
    rest: Option<(Incoming, InFlightGuard)>,
    frame_timeout: Duration,
    /// Runs while the upstream sends nothing.
    timer: Option<Pin<Box<Sleep>>>,
}

impl UpstreamResponse {
    /// Receives the whole of a short body, or the start of a long one.
    pub(super) async fn receive_response(
        response: Response<Incoming>,
        in_flight: InFlightGuard,
        frame_timeout: Duration,
    ) -> Result<Self, UpstreamError> {
        let (head, mut body) = response.into_parts();
        if head.status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(UpstreamError::SwitchedProtocols);
        }
        // A canonical host knows nothing of clients' keys and limits: it, or a proxy before it, means the gateway.
        if matches!(head.status.as_u16(), 401 | 403 | 407 | 429) {
            return Err(UpstreamError::Rejected(head.status));
        }
        if has_ambiguous_length(&head.headers) {
            return Err(UpstreamError::AmbiguousLength);
        }
        // A stream begins when it has something to say.
        if is_event_stream(&head.headers) && !body.is_end_stream() {
            let rest = Some((body, in_flight));
            let body = UpstreamBody { start: Bytes::new(), rest, frame_timeout: STREAM_SILENCE, timer: None };
            return Ok(Self { status: head.status, headers: head.headers, body });
        }
        let mut start = Bytes::new();
        while !body.is_end_stream() && start.len() < START_BYTES {
            let Some(frame) = body.frame().await else { break };
            // Trailers are not passed on.
            if let Ok(data) = frame.map_err(UpstreamError::Body)?.into_data() {
                start = concat_body(start, data);
            }
        }
        let is_whole = body.is_end_stream() || start.len() < START_BYTES;
        let rest = (!is_whole).then_some((body, in_flight));
        let body = UpstreamBody { start, rest, frame_timeout, timer: None };
        Ok(Self { status: head.status, headers: head.headers, body })
    }
}

/// Whether another program may find another end of the body. The length must be specified once, by a number or by
/// chunks.
fn has_ambiguous_length(headers: &HeaderMap) -> bool {
    let mut lengths = headers.get_all(CONTENT_LENGTH).iter();
    let mut encodings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_bad = match (lengths.next(), encodings.next()) {
        (None, None) => false,
        (Some(length), None) => !length.as_bytes().iter().all(u8::is_ascii_digit),
        (None, Some(encoding)) => !encoding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => true,
    };
    is_bad || lengths.next().is_some() || encodings.next().is_some()
}

/// Most bodies arrive in one frame, which is not copied.
fn concat_body(start: Bytes, data: Bytes) -> Bytes {
    if start.is_empty() {
        return data;
    }
    let mut both = BytesMut::from(start);
    both.extend_from_slice(&data);
    both.freeze()
}

impl Body for UpstreamBody {
    type Data = Bytes;
    type Error = UpstreamBodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, UpstreamBodyError>>> {
        if !self.start.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.start)))));
        }
        let Some((rest, _)) = &mut self.rest else { return Poll::Ready(None) };
        match Pin::new(rest).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) if frame.is_trailers() => {
                self.rest = None;
                Poll::Ready(None)
            }
            Poll::Ready(frame) => {
                self.timer = None;
                Poll::Ready(frame.map(|frame| frame.map_err(UpstreamBodyError::from)))
            }
            Poll::Pending => {
                let frame_timeout = self.frame_timeout;
                let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(frame_timeout)));
                timer.as_mut().poll(cx).map(|()| Some(Err(UpstreamBodyError::Timeout)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.start.is_empty() && self.rest.as_ref().is_none_or(|(rest, _)| rest.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let start = self.start.len() as u64;
        let rest = self.rest.as_ref().map_or_else(|| SizeHint::with_exact(0), |(rest, _)| rest.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest.lower() + start);
        if let Some(upper) = rest.upper() {
            hint.set_upper(upper + start);
        }
        hint
    }
}
