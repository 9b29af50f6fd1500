//! Limits on the resources of one client.

use std::time::Duration;

/// Bytes of a request's head, at most; hyper answers 431 beyond, without a body.
pub(crate) const MAX_HEAD_BYTES: u16 = 16 * 1024;

/// HTTP/2 requests at a time on one connection.
pub(crate) const MAX_STREAMS: u32 = 32;

/// Bytes of a body that an HTTP/2 client may send unasked, the least that HTTP/2 starts with: no operation takes
/// any.
pub(crate) const WINDOW: u32 = 65_535;

/// Times and numbers that bound a server's connections.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// A client must have sent a whole head within this time, or loses the connection.
    pub header_timeout: Duration,
    /// A keep-alive connection without a new request for this long is closed.
    pub idle_timeout: Duration,
    /// A client that takes nothing of its answer for this long loses the connection.
    pub write_timeout: Duration,
    /// Bytes of an answer that a client must take in a second, on average over [`Self::rate_window`] and any later one
    /// as long. Of HTTP/2 connections, of each of the answers.
    pub min_rate: u64,
    /// See [`Self::min_rate`].
    pub rate_window: Duration,
    /// Time that a shutdown leaves requests to finish.
    pub drain: Duration,
    /// How long at a shutdown connections that are kept are told with the next answer that they end, rather than
    /// closed: a request may be on its way.
    pub drain_grace: Duration,
    /// Connections at a time. For one more, those that have been idle the longest are closed; if none is, it is
    /// answered 503.
    pub max_connections: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(30),
            min_rate: 1024,
            rate_window: Duration::from_secs(30),
            drain: Duration::from_secs(10),
            drain_grace: Duration::from_secs(1),
            max_connections: 1024,
        }
    }
}
