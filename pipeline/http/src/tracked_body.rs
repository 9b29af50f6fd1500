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
        // Bytes that are still to be handed over, where that is known.
        left: Option<u64>,
        // All bytes were handed over.
        is_handed: bool,
        request: InFlight,
        record: RequestGuard,
    }

    impl<B> PinnedDrop for TrackedBody<B> {
        // HTTP/1 lets go of a body whose length it knows when all of it has left, and does not ask for an end. A body that a
        // connection still has when it ends has not left.
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            if *this.is_handed && !*this.is_h2 && !this.request.is_cut_off() {
                this.record.mark_complete();
            }
        }
    }
}

impl<B: Body<Data = Bytes>> TrackedBody<B> {
    pub(crate) fn new(body: B, request: InFlight, mut record: RequestGuard, is_h2: bool) -> Self {
        if body.is_end_stream() {
            record.mark_complete();
        }
        if is_h2 {
            request.record_taken(0);
        }
        let left = body.size_hint().exact();
        let (rest, is_draining, is_handed) = (Bytes::new(), false, false);
        Self { body, rest, is_h2, is_draining, handed: 0, left, is_handed, request, record }
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
            this.request.record_taken(std::mem::take(this.handed));
        }
        *this.is_draining = false;
        if this.rest.is_empty() {
            let frame =
                if this.body.is_end_stream() { None } else { ready!(this.body.as_mut().poll_frame(cx)) };
            match frame.transpose()?.map(|frame| frame.into_data()) {
                Some(Ok(data)) => *this.rest = data,
                Some(Err(trailers)) => return Poll::Ready(Some(Ok(trailers))),
                None => {
                    this.record.mark_complete();
                    return Poll::Ready(None);
                }
            }
        }
        let piece =
            this.rest.split_to(if *this.is_h2 { PIECE.min(this.rest.len()) } else { this.rest.len() });
        this.record.record_sent(piece.len());
        *this.handed = piece.len() as u64;
        *this.left = this.left.map(|left| left.saturating_sub(*this.handed));
        *this.is_draining = !*this.is_h2;
        *this.is_handed = this.rest.is_empty() && (*this.left == Some(0) || this.body.is_end_stream());
        if *this.is_h2 && *this.is_handed {
            this.record.mark_complete();
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
