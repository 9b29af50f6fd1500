//! One connection to a canonical host. It has no task of its own: whoever waits for an answer moves it on, so that an
//! answer takes no way from task to task, and bytes are read from the host only as a client asks for them.
//!
//! What a connection makes ready is asked for right after it was moved, by the same task. So only the connection is
//! told whom to wake; the rest, told too, would wake a task that is awake, which costs as much as a thread's waking.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::{Body as _, Frame, Incoming};
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::coop::unconstrained;

use super::ear::Ear;

/// A connection, and the way to ask over it.
#[derive(Debug)]
pub(super) struct Line {
    sender: SendRequest<Empty<Bytes>>,
    /// `None` when it has ended.
    connection: Option<Box<Connection<TokioIo<TcpStream>, Empty<Bytes>>>>,
    ear: Arc<Ear>,
    /// Whom the connection wakes: the ear, always.
    waker: Waker,
}

impl Line {
    pub(super) async fn over(stream: TokioIo<TcpStream>) -> Result<Self, hyper::Error> {
        let (sender, connection) = handshake(stream).await?;
        let ear = Arc::new(Ear::default());
        let waker = Waker::from(Arc::clone(&ear));
        Ok(Self { sender, connection: Some(Box::new(connection)), ear, waker })
    }

    /// Sends a request, and waits for the head of its answer.
    pub(super) async fn ask(
        &mut self,
        request: Request<Empty<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        // A task that did much at once would be told to come back, here by a waker that wakes nobody.
        let mut answer = pin!(unconstrained(self.sender.send_request(request)));
        poll_fn(|cx| {
            self.move_on(cx);
            answer.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        })
        .await
    }

    /// The next piece of an answer's body.
    pub(super) fn poll_frame(
        &mut self,
        body: &mut Incoming,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut nobody = Context::from_waker(Waker::noop());
        // Taking a piece tells the connection that there is room, which is for the next look at it.
        self.ear.stop();
        let mut frame = Pin::new(&mut *body).poll_frame(&mut nobody);
        if frame.is_pending() {
            self.move_on(cx);
            self.ear.stop();
            frame = Pin::new(body).poll_frame(&mut nobody);
            if frame.is_pending() && self.ear.listen(cx.waker()) {
                cx.waker().wake_by_ref();
            }
        }
        frame
    }

    /// The answer is whole, or nobody wants it: nobody is woken, not even by letting go of the body.
    pub(super) fn hush(&self) {
        self.ear.stop();
    }

    /// Whether it takes a request: the last answer is whole, and the host has neither hung up since nor sent what
    /// nobody asked for.
    pub(super) fn is_free(&mut self) -> bool {
        let looking = pin!(unconstrained(poll_fn(|_| {
            self.poll_connection();
            Poll::Ready(())
        })));
        let _ = looking.poll(&mut Context::from_waker(Waker::noop()));
        self.connection.is_some() && self.sender.is_ready()
    }

    /// Reads and writes what can be, and wakes this task when there is more. How the connection ends is told by the
    /// answer that it ends.
    fn move_on(&mut self, cx: &mut Context<'_>) {
        self.ear.listen(cx.waker());
        self.poll_connection();
    }

    fn poll_connection(&mut self) {
        if let Some(connection) = &mut self.connection
            && Pin::new(connection).poll(&mut Context::from_waker(&self.waker)).is_ready()
        {
            self.connection = None;
        }
    }
}
