//! Arguments that several commands have.

pub(crate) mod accept;
pub(crate) mod dates;
pub(crate) mod decision;
pub(crate) mod engine;
pub(crate) mod licences;
pub(crate) mod take_in;
