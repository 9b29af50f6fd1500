//! The stages between facts and a snapshot.

pub(crate) mod definition;
pub(crate) mod derivation_facts;
pub(crate) mod derive;
pub(crate) mod enrich;
pub(crate) mod graph;
pub(crate) mod link;
pub(crate) mod normalise;
pub(crate) mod normalised;
pub(crate) mod shards;
