//! Captures to source facts, each read once, in a process of its own.

pub(crate) mod attempts;
mod frame;
pub(crate) mod isolation;
pub(crate) mod job;
mod reading;
pub(crate) mod worker;
pub(crate) mod workers;
