//! The tables of the multi-sport catalog: what they are made of, their models, and their snapshot.

pub mod models;
pub(crate) mod publish;
pub mod sports;
