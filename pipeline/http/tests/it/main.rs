//! Connections from outside, over real sockets.

mod common;
mod connections;
mod shutdown;
mod slow;
mod tls;
mod whole;
