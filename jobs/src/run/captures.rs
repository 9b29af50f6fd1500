//! The captures of a lake: their facts, which of them count, and which look cut.

pub(crate) mod completeness;
pub(crate) mod facts;
pub(crate) mod lake_view;
pub(crate) mod notes;
