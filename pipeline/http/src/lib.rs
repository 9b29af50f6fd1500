//! HTTP as all servers of this workspace speak it: the common part of the canonical host and the gateway.
//!
//! ```text
//! server, workers   accepts connections up to a cap, spreads them over threads, drains without a failed request
//! limits            connection limits and timeouts, the header timeout too
//! connection, connection_activity, header_timeout, progress   one connection: its timers, how fast its client reads
//! connection_registry   the open connections, and which are closed for new ones
//! tracked_body      response bodies, sent so that a client that stops reading is noticed
//! tls               a certificate that is read again when it changes
//! request_record    a request that is over, for request_metrics (Prometheus) and access_log
//! encoding          bodies that are compressed once for all who are sent them
//! conditional       whether a client has what it asks for already, or has a part of it
//! byte_ranges       parts of a file: which are asked for, and several as one body
//! guard, refuse, envelope   what is refused before any route, as the error envelope
//! ```
//!
//! hyper-util rather than the framework's own server: that one holds half a request open for minutes.
//! What a request is answered with is a `tower` service.

mod access_log;
pub mod byte_ranges;
mod clock;
mod collectors;
mod conditional;
mod connection;
mod connection_activity;
mod connection_counts;
mod connection_registry;
mod cors;
mod encoding;
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
pub use conditional::{goes_with_part, has_current, is_wanted};
pub use connection_counts::{ConnectionCounts, EventCounter};
pub use cors::{BadOrigin, Cors};
pub use encoding::{Encoding, Opening};
pub use envelope::{
    ALLOWED, X_API_VERSION, X_REQUEST_ID, X_SNAPSHOT_ID, failure_response, is_event_stream,
    set_common_headers, without_body,
};
pub use limits::ConnectionLimits;
pub use peer::{PeerAddress, X_GATEWAY_CLIENT, X_GATEWAY_REQUEST_ID};
pub use request_id::{awaited_under, request_id, with_gateway_id};
pub use request_metrics::RequestMetrics;
pub use request_record::{AuthenticatedCaller, CompletionObserver, OperationSlot, RequestRecord};
pub use server::{ServeError, Server, is_out_of_files, shutdown_signal};
pub use tls::{Tls, TlsError};
