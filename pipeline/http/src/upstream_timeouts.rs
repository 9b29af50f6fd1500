//! Times that a canonical host and the gateway before it must agree on.

use std::time::Duration;

/// How long a canonical host lets a request wait for what is still being loaded (the rest of the first snapshot, the
/// ledger, a snapshot that the request names) before it answers 503. All waits of one request together.
pub const HOST_ANSWER_WAIT: Duration = Duration::from_secs(4);

/// How long a canonical host may take for an answer, from the request's last byte to the answer's first: that wait, and
/// the work after it on a busy machine. A gateway that gives up earlier gives up on a host that is well.
pub const HOST_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a canonical host sends something on a stream of events on which nothing happens.
pub const STREAM_HEARTBEAT: Duration = Duration::from_secs(15);

/// After which silence a gateway takes a stream of events for dead.
pub const STREAM_SILENCE: Duration = Duration::from_secs(45);

const _: () = assert!(STREAM_HEARTBEAT.as_millis() * 2 < STREAM_SILENCE.as_millis());
const _: () = assert!(HOST_ANSWER_WAIT.as_millis() < HOST_ANSWER_TIMEOUT.as_millis());
