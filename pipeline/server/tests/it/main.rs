//! The HTTP layer from outside: hand-built snapshots, real sockets where the wire matters.

mod answers;
mod articles;
mod careers;
mod circumstances;
mod common;
mod content;
mod dna;
mod dna_query;
mod lake;
mod league;
mod ledger;
mod matchup;
mod media;
mod metrics;
mod older;
mod profiles;
mod protocol;
mod rankings;
mod refusals;
mod schedule;
mod snapshot;
mod sockets;
mod splits;
mod swapping;
mod videos;
mod wire;
