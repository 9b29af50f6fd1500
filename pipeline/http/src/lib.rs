//! How our servers speak HTTP: what the canonical host and the gateway have in common.
//!
//! ```text
//! server    accepts connections up to a cap, and ends without a failed request
//! workers   threads that connections are spread over
//! connection, activity, progress, heard   one connection: its timers, how fast its client reads, when it has lapsed
//! crowd     the open connections, and which are closed for new ones
//! body      answers, handed over so that a reader who stands still is noticed
//! tls       a certificate that is read again when it changes
//! exchange  a request that is over, for traffic (numbers by operation) and access (the log)
//! timeouts  how long a canonical host lets a request wait, and so a gateway
//! surroundings   the log, the certificate and the memory in numbers
//! guard     what is refused before any route       envelope   refusals as answers
//! ```
//!
//! hyper-util rather than the framework's own server: that one holds half a request open for minutes.
//! What a request is answered with is a `tower` service.

mod access_log;
mod clock;
mod collectors;
mod connection;
mod connection_activity;
mod connection_counts;
mod connection_registry;
mod cors;
mod envelope;
pub mod guard;
mod header_timeout;
mod limits;
mod peer;
mod progress;
mod refuse;
mod request_id;
mod request_metrics;
mod request_record;
mod secrets;
mod server;
mod tls;
mod tracked_body;
pub mod upstream_timeouts;

pub use access_log::{AccessLog, LogTarget};
pub use clock::Clock;
pub use collectors::ProcessCollectors;
pub use connection_counts::{ConnectionCounts, EventCounter};
pub use cors::{BadOrigin, Cors};
pub use envelope::{ALLOWED, X_API_VERSION, X_REQUEST_ID, X_SNAPSHOT_ID, common, failure, without_body};
pub use limits::ConnectionLimits;
pub use peer::{PeerAddress, X_GATEWAY_CLIENT, X_GATEWAY_REQUEST_ID};
pub use request_id::{awaited_under, request_id, under};
pub use request_metrics::RequestMetrics;
pub use request_record::{AuthenticatedCaller, CompletionObserver, OperationSlot, RequestRecord};
pub use server::{ServeError, Server, is_out_of_files, shutdown_signal};
pub use tls::{Tls, TlsError};
