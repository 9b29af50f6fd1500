//! The captures of a lake: their facts, which of them count, and which look cut.

pub mod agreement;
pub mod completeness;
pub mod facts;
pub mod lake_view;
pub mod notes;
