//! How our servers speak HTTP: what the canonical host and the gateway have in common.
//!
//! ```text
//! server    accepts connections up to a cap, and ends without a failed request
//! connection, activity   one connection: its timers, and when it has lapsed
//! crowd     the open connections, and which are closed for new ones
//! body      answers in pieces, so that a reader who stands still is noticed
//! guard     what is refused before any route       envelope   refusals as answers
//! ```
//!
//! hyper-util rather than the framework's own server: that one holds half a request open for minutes.
//! What a request is answered with is a `tower` service; it finds the client's address in [`Peer`].

mod activity;
mod body;
mod connection;
mod counts;
mod crowd;
mod envelope;
pub mod guard;
mod limits;
mod refuse;
mod server;

pub use connection::Peer;
pub use counts::Counts;
pub use envelope::{ALLOWED, X_REQUEST_ID, common, failure, without_body};
pub use limits::Limits;
pub use server::{ServeError, Server, shutdown_signal};
