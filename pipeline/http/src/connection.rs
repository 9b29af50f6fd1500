//! One connection, from the first byte to the last.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use http_body::Body;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue, ORIGIN};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::Service;

use crate::connection_activity::{CloseReason, ConnectionActivity, InFlight};
use crate::envelope::is_event_stream;
use crate::header_timeout::HeaderTimeoutStream;
use crate::limits::{MAX_HEAD_BYTES, MAX_STREAMS, WINDOW};
use crate::peer::PeerAddress;
use crate::request_record::RequestGuard;
use crate::server::{ServerPhase, SharedState};
use crate::tracked_body::TrackedBody;

/// Time that a connection gets to send its last bytes.
const CLOSE_GRACE: Duration = Duration::from_millis(500);

/// Answers the requests of a connection until either side ends it.
pub(crate) async fn serve_connection<IO, S, B>(
    io: IO,
    peer: SocketAddr,
    service: S,
    activity: Arc<ConnectionActivity>,
    shared: &Arc<SharedState>,
) where
    IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    // Of this connection alone: to count who holds what all of them share, every request would take it from another
    // thread. An observer, where there is one, is still taken.
    let client =
        Arc::new(ClientConnection { peer, activity: Arc::clone(&activity), shared: Arc::clone(shared) });
    let answering = service_fn(move |request: Request<Incoming>| {
        // At once: what is read before the answer is asked for is not of this request.
        let in_flight = client.activity.begin_request(request.version() == Version::HTTP_2);
        Arc::clone(&client).answer_request(service.clone(), request, in_flight)
    });
    let builder = connection_builder();
    let io = HeaderTimeoutStream::new(io, Arc::clone(&activity), shared.limits.header_timeout);
    let mut served = pin!(builder.serve_connection(TokioIo::new(io), answering));
    // Declared behind it, and so dropped before it.
    let _over = activity.over_on_drop();
    // In a set of one, which is looked at when it has something to say, and not at every byte that comes.
    let mut end: FuturesUnordered<_> = [wait_for_end(&activity, shared)].into_iter().collect();
    let close_reason = tokio::select! {
        biased;
        ended = served.as_mut() => return record_end(ended, &activity, shared),
        Some(close_reason) = end.next() => close_reason,
    };
    served.as_mut().graceful_shutdown();
    match close_reason {
        // The server waits for these, as long as it waits.
        None => record_end(served.await, &activity, shared),
        Some(close_reason) => {
            shared.count_close(close_reason);
            tracing::debug!(?close_reason, "connection closed");
            if !matches!(close_reason, CloseReason::WriteTimeout | CloseReason::Slow) {
                let _ = tokio::time::timeout(CLOSE_GRACE, served).await;
            }
        }
    }
}

/// Ends when the connection should: why, or `None` because the server stops.
async fn wait_for_end(activity: &ConnectionActivity, shared: &SharedState) -> Option<CloseReason> {
    tokio::select! {
        close_reason = activity.close_reason(&shared.limits) => Some(close_reason),
        () = wait_to_leave(activity, shared) => None,
    }
}

/// Ends when the server stops: for HTTP/2 at once, which can say so without losing a request; for HTTP/1 when it has
/// waited a while for requests that are on their way.
async fn wait_to_leave(activity: &ConnectionActivity, shared: &SharedState) {
    let mut phase = shared.phase.subscribe();
    let is_over = |phase: &ServerPhase| match phase {
        ServerPhase::Serving => false,
        ServerPhase::Draining => activity.is_h2(),
        ServerPhase::Closing => true,
    };
    // The sender lives as long as `shared`.
    let _ = phase.wait_for(is_over).await;
}

/// Counts a connection that ended by itself, where it ended badly.
fn record_end(
    ended: Result<(), Box<dyn std::error::Error + Send + Sync>>,
    activity: &ConnectionActivity,
    shared: &SharedState,
) {
    if activity.was_late() {
        return shared.count_close(CloseReason::HeaderTimeout);
    }
    if let Err(error) = ended {
        if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse) {
            shared.counts.malformed.inc();
        }
        tracing::debug!(%error, "connection ended");
    }
}

/// Address of the client.
struct ClientConnection {
    peer: SocketAddr,
    activity: Arc<ConnectionActivity>,
    shared: Arc<SharedState>,
}

impl ClientConnection {
    /// Not an `async fn`, whose future would hold the request twice.
    fn answer_request<S, B>(
        self: Arc<Self>,
        mut service: S,
        mut request: Request<Incoming>,
        in_flight: InFlight,
    ) -> impl Future<Output = Result<Response<TrackedBody<B>>, Infallible>>
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
        B: Body<Data = Bytes>,
    {
        let is_h2 = request.version() == Version::HTTP_2;
        let origin = self.shared.cors.is_on().then(|| request.headers().get(ORIGIN).cloned()).flatten();
        let mut record = RequestGuard::begin_request(&request, self.peer, self.shared.observer.as_ref());
        request.extensions_mut().insert(PeerAddress(self.peer));
        async move {
            poll_fn(|cx| service.poll_ready(cx)).await?;
            let mut response = service.call(request).await?;
            if !is_h2 && self.shared.is_draining.load(Ordering::Relaxed) {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            self.shared.cors.mark_response(origin.as_ref(), response.headers_mut());
            record.record_answer(&response);
            if is_event_stream(response.headers()) {
                in_flight.set_unpaced();
            }
            Ok(response.map(|body| TrackedBody::new(body, in_flight, record, is_h2)))
        }
    }
}

fn connection_builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // `HeaderTimeoutStream` does it.
        .header_read_timeout(None)
        .max_buf_size(usize::from(MAX_HEAD_BYTES));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::from(MAX_HEAD_BYTES))
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(256)
        .max_send_buf_size(128 * 1024)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    builder
}
