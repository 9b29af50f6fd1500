//! Captures to source facts, each read once, in a process of its own.

pub mod attempts;
mod frame;
pub mod isolation;
pub(crate) mod job;
mod reading;
pub mod worker;
pub mod workers;
