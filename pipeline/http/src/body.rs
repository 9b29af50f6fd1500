//! Answers, handed over in pieces.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::activity::InFlight;
use crate::exchange::Ongoing;

/// Bytes that are handed over at a time. hyper asks for the next piece when the last is on its way, so each says that
/// the client reads.
const PIECE: usize = 64 * 1024;

pin_project! {
    /// An answer's body; the request is over when it is gone.
    pub(crate) struct Pieces<B> {
        #[pin]
        body: B,
        rest: Bytes,
        request: InFlight,
        exchange: Ongoing,
    }
}

impl<B: Body<Data = Bytes>> Pieces<B> {
    pub(crate) fn new(body: B, request: InFlight, mut exchange: Ongoing) -> Self {
        if body.is_end_stream() {
            exchange.whole();
        }
        Self { body, rest: Bytes::new(), request, exchange }
    }
}

impl<B: Body<Data = Bytes>> Body for Pieces<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let mut this = self.project();
        this.request.move_on();
        if this.rest.is_empty() {
            match ready!(this.body.as_mut().poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => *this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                None => {
                    this.exchange.whole();
                    return Poll::Ready(None);
                }
                failed => return Poll::Ready(failed),
            }
        }
        let piece = this.rest.split_to(this.rest.len().min(PIECE));
        this.exchange.sent(piece.len());
        if this.rest.is_empty() && this.body.is_end_stream() {
            this.exchange.whole();
        }
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
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
