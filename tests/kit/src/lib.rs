//! What tests share: facts written as text, leagues made from a seed, and where the real captures lie.

mod capture;
mod ids_capture;
mod league;
mod leak;
mod real;
mod script;
mod site;

pub use capture::{BoutRow, CaptureFiles};
pub use ids_capture::{IdsBout, IdsFiles};
pub use league::league;
pub use leak::rows_until;
pub use real::real_data;
pub use script::{facts, fighter};
pub use site::{Asked, Reply, Site};
