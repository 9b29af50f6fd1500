//! Properties: the book that is made of their tables, and what valuations by it are worth.

pub(crate) mod tables;
pub(crate) mod validity;
