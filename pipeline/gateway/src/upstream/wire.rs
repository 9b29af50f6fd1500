//! One connection to a canonical host. It has no task of its own: whoever waits for an answer reads it, so that an
//! answer takes no way from task to task, and bytes are read from the host only as a client asks for them.

use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker, ready};

use bytes::{Bytes, BytesMut};
use hyper::header::{HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::coop::unconstrained;

use super::Question;
use super::framing::{BadChunk, Framing, Step};
use super::head::{BadHead, Head, Heads};
use super::stream::Stream;

/// Room for what is read at once: of a head, and of a body that is long.
const ROOM: usize = 8 * 1024;
const MUCH_ROOM: usize = 64 * 1024;

/// A connection, and how far the answer on it has come.
#[derive(Debug)]
pub(super) struct Wire {
    stream: Stream,
    /// The last request, for its room.
    request: Vec<u8>,
    /// What came and was not yet asked for.
    read: BytesMut,
    heads: Heads,
    /// What is still to come of the last answer's body.
    body: Framing,
    is_last: bool,
}

/// Why a line gives no answer, or no more of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WireError {
    #[error("send anything")]
    Unsent(#[source] io::Error),
    #[error("send or receive")]
    Broken(#[from] io::Error),
    #[error("the host hung up")]
    HungUp,
    #[error("read the answer's head")]
    Head(#[from] BadHead),
    #[error("read the answer's body")]
    Body(#[from] BadChunk),
}

impl Wire {
    pub(super) fn over(stream: Stream) -> Self {
        let (request, read, heads) = Default::default();
        Self { stream, request, read, heads, body: Framing::Length(0), is_last: false }
    }

    /// Sends a request with these headers of the gateway's own, and waits for the head of its answer.
    pub(super) async fn ask(
        &mut self,
        question: &Question<'_>,
        own: &[(HeaderName, HeaderValue)],
    ) -> Result<Head, WireError> {
        self.request.clear();
        question.write(own, &mut self.request);
        self.send().await?;
        let head = loop {
            match self.heads.take(&mut self.read, question.method)? {
                Some(head) if head.is_interim() => {}
                Some(head) => break head,
                None if std::future::poll_fn(|cx| self.poll_read(cx)).await? == 0 => {
                    return Err(WireError::HungUp);
                }
                None => {}
            }
        };
        (self.body, self.is_last) = (head.framing, head.is_last);
        Ok(head)
    }

    async fn send(&mut self) -> Result<(), WireError> {
        let mut sent = self.stream.write(&self.request).await.map_err(WireError::Unsent)?;
        while sent < self.request.len() {
            sent += self.stream.write(&self.request[sent..]).await?;
        }
        // TLS may hold some of it back.
        Ok(self.stream.flush().await?)
    }

    /// The next piece of the answer's body.
    pub(super) fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, WireError>>> {
        loop {
            match self.body.step(&mut self.read)? {
                Step::Piece(piece) => return Poll::Ready(Some(Ok(piece))),
                Step::End => return Poll::Ready(None),
                Step::More if ready!(self.poll_read(cx))? > 0 => {}
                Step::More if self.body == Framing::UntilClose => self.body = Framing::Length(0),
                Step::More => return Poll::Ready(Some(Err(WireError::HungUp))),
            }
        }
    }

    /// Bytes to come of the answer's body, where that is known.
    pub(super) fn left(&self) -> Option<u64> {
        self.body.left()
    }

    /// Nothing more comes of the answer's body.
    pub(super) fn is_over(&self) -> bool {
        self.body.is_over()
    }

    /// Whether another request may follow the last answer, which is whole and has nothing behind it.
    pub(super) fn is_done(&self) -> bool {
        self.is_over() && !self.is_last && self.read.is_empty()
    }

    /// Whether the host has neither hung up since nor sent what nobody asked for.
    pub(super) fn is_quiet(&mut self) -> bool {
        // A task that did much at once would be told to come back.
        let looking = pin!(unconstrained(std::future::poll_fn(|cx| self.poll_read(cx))));
        looking.poll(&mut Context::from_waker(Waker::noop())).is_pending()
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        // What is left of a large room is used before there is another.
        if self.read.capacity() - self.read.len() < ROOM {
            let wanted = self.body.left().and_then(|left| usize::try_from(left).ok());
            self.read.reserve(wanted.unwrap_or_default().clamp(ROOM, MUCH_ROOM));
        }
        pin!(self.stream.read_buf(&mut self.read)).poll(cx)
    }
}

#[cfg(test)]
mod tests;
