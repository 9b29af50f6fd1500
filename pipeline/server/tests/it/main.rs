//! The HTTP layer from outside: hand-built snapshots, real sockets where the wire matters.

mod answers;
mod careers;
mod common;
mod dna;
mod dna_query;
mod lake;
mod league;
mod matchup;
mod metrics;
mod profiles;
mod protocol;
mod refusals;
mod snapshot;
mod sockets;
mod splits;
mod swapping;
