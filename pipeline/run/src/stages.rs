//! The stages between facts and a snapshot.

pub mod definition;
pub mod derivation_facts;
pub(crate) mod derive;
pub(crate) mod enrich;
pub(crate) mod graph;
pub(crate) mod link;
pub mod normalise;
pub(crate) mod normalised;
pub mod shards;
