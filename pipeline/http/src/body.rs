//! Answers, handed over in pieces.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::activity::InFlight;

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
    }
}

impl<B> Pieces<B> {
    pub(crate) fn new(body: B, request: InFlight) -> Self {
        Self { body, rest: Bytes::new(), request }
    }
}

impl<B: Body<Data = Bytes>> Body for Pieces<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        this.request.move_on();
        if this.rest.is_empty() {
            match ready!(this.body.poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => *this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                ended => return Poll::Ready(ended),
            }
        }
        let piece = this.rest.split_to(this.rest.len().min(PIECE));
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
