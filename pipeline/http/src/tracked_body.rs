//! Response bodies whose write progress is tracked, for the write timeout.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::connection_activity::InFlight;
use crate::request_record::RequestGuard;

/// Bytes that are handed over at a time in HTTP/2, where what goes over the socket may belong to another answer: the
/// next piece is asked for when the last is on its way, so each says that the client reads, and how fast.
const PIECE: usize = 16 * 1024;

pin_project! {
    /// An answer's body; the request is over when it is gone.
    pub(crate) struct TrackedBody<B> {
        #[pin]
        body: B,
        rest: Bytes,
        is_h2: bool,
        // Bytes are on their way, and nobody has asked for what follows. HTTP/1 asks when a large piece has left,
        // and is not told before that it was the last: the request is not over while its answer is unread.
        is_draining: bool,
        // Bytes of the piece that was handed over last.
        handed: u64,
        request: InFlight,
        record: RequestGuard,
    }
}

impl<B: Body<Data = Bytes>> TrackedBody<B> {
    pub(crate) fn new(body: B, request: InFlight, mut record: RequestGuard, is_h2: bool) -> Self {
        if body.is_end_stream() {
            record.whole();
        }
        if is_h2 {
            request.took(0);
        }
        Self { body, rest: Bytes::new(), is_h2, is_draining: false, handed: 0, request, record }
    }
}

impl<B: Body<Data = Bytes>> Body for TrackedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let mut this = self.project();
        if *this.is_h2 {
            this.request.took(std::mem::take(this.handed));
        }
        *this.is_draining = false;
        if this.rest.is_empty() {
            let frame =
                if this.body.is_end_stream() { None } else { ready!(this.body.as_mut().poll_frame(cx)) };
            match frame.transpose()?.map(|frame| frame.into_data()) {
                Some(Ok(data)) => *this.rest = data,
                Some(Err(trailers)) => return Poll::Ready(Some(Ok(trailers))),
                None => {
                    this.record.whole();
                    return Poll::Ready(None);
                }
            }
        }
        let piece =
            this.rest.split_to(if *this.is_h2 { PIECE.min(this.rest.len()) } else { this.rest.len() });
        this.record.sent(piece.len());
        *this.handed = piece.len() as u64;
        *this.is_draining = !*this.is_h2;
        if *this.is_h2 && this.rest.is_empty() && this.body.is_end_stream() {
            this.record.whole();
        }
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        !self.is_draining && self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, inner) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
