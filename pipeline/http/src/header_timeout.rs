//! Wraps a stream to enforce the header read timeout (`ConnectionLimits::header_timeout`), counted from a request's first byte: hyper's own timer counts
//! keep-alive idle time as well (hyperium/hyper#3185), and would end an idle connection as soon as a half-sent request.
//! Pipelined requests may arrive together, the last of them half: as none has a body, bytes that do not end as headers
//! end belong to such a one.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::connection_activity::ConnectionActivity;

/// A connection's stream.
pub(crate) struct HeaderTimeoutStream<IO> {
    io: IO,
    activity: Arc<ConnectionActivity>,
    timeout: Duration,
    /// The last bytes that came.
    tail: [u8; 4],
    /// While a half request is waited for.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<IO> HeaderTimeoutStream<IO> {
    pub(crate) fn new(io: IO, activity: Arc<ConnectionActivity>, timeout: Duration) -> Self {
        Self { io, activity, timeout, tail: [0; 4], waiting: None }
    }

    fn remember_tail(&mut self, bytes_read: &[u8]) {
        let last = &bytes_read[bytes_read.len().saturating_sub(self.tail.len())..];
        self.tail.rotate_left(last.len());
        let free = self.tail.len() - last.len();
        self.tail[free..].copy_from_slice(last);
    }

    fn count_written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(n @ 1..)) = written {
            self.activity.record_taken(n as u64);
        }
        written
    }

    /// Ready when the rest of a half request did not come in time.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(since) = self.activity.header_started_at() else {
            self.waiting = None;
            return Poll::Pending;
        };
        let until = (since + self.timeout).into();
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        if waiting.deadline() != until {
            waiting.as_mut().reset(until);
        }
        waiting.as_mut().poll(cx)
    }
}

impl<IO: AsyncRead + Unpin> AsyncRead for HeaderTimeoutStream<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match Pin::new(&mut self.io).poll_read(cx, buf) {
            Poll::Ready(read) => {
                let bytes_read = &buf.filled()[before..];
                if !bytes_read.is_empty() {
                    self.remember_tail(bytes_read);
                    self.activity.bytes_received(self.tail == *b"\r\n\r\n");
                }
                Poll::Ready(read)
            }
            Poll::Pending => self.poll_late(cx).map(|()| {
                self.activity.is_late();
                Err(io::ErrorKind::TimedOut.into())
            }),
        }
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for HeaderTimeoutStream<IO> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, buf);
        self.count_written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.count_written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
