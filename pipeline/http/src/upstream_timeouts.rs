//! Times that a canonical host and the gateway before it must agree on.

use std::time::Duration;

/// How long a canonical host lets a request wait for what is still being loaded (the rest of the first snapshot, the
/// ledger, a snapshot that the request names) before it answers 503. All waits of one request together.
pub const HOST_ANSWER_WAIT: Duration = Duration::from_secs(4);

/// How long a canonical host may take for an answer, from the request's last byte to the answer's first: that wait, and
/// the work after it on a busy machine. A gateway that gives up earlier gives up on a host that is well.
pub const HOST_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

const _: () = assert!(HOST_ANSWER_WAIT.as_millis() < HOST_ANSWER_TIMEOUT.as_millis());
