//! The HTTP layer from outside: hand-built snapshots, real sockets where the wire matters.

mod answers;
mod common;
mod dna;
mod lake;
mod protocol;
mod refusals;
mod snapshot;
mod sockets;
mod swapping;
