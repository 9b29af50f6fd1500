//! Captures as they were received, and how they come into the lake.

pub mod add;
pub(crate) mod dated_name;
pub(crate) mod received;
pub mod sample;
pub mod source;
