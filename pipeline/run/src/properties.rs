//! Properties: the book that is made of their tables, and what valuations by it are worth.

pub mod sample_report;
pub mod tables;
pub mod validity;
