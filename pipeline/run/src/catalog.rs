//! The tables of the multi-sport catalog: what they are made of, their models, and their snapshot.

pub mod models;
pub mod on_engine;
pub mod one_sport;
pub(crate) mod publish;
pub mod sports;
