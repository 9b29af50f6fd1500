//! Captures as they were received, and how they come into the lake.

pub(crate) mod add;
pub(crate) mod dated_name;
pub(crate) mod received;
pub(crate) mod sample;
pub(crate) mod source;
