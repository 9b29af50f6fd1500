//! Panels: Fight DNA of every fighter as it stood on a date, one row per fighter (wide) or one per fighter and
//! metric (long).
//!
//! A version is valid from the day after the bout that made it until the day of the next, and does not change
//! afterwards: a panel of any past date is a choice among the published versions. Only what moves with the days between
//! bouts (`of_the_day` in the metric definitions) is computed, from bouts before the date. What the
//! definition itself knows of the later world is in every row of the wide panel: `constants_fitted_to` and
//! `gates_measured_to`.
//!
//! The sums behind the ratios (`panel_ratios`) are chosen so by [`RatioVersions`].
//!
//! Panels of the multi-sport catalog ([`SubjectVersions`]) have a row for each subject and metric, as its table of versions has.
//!
//! [`VersionTable`] is made once of a `dna_versions` table and its [`DayHistory`], and asked for as many dates as wanted, by any number of
//! threads. Texts in its answers are dictionaries over the values of all versions: nothing but small integers
//! is copied for a date.

mod error;
mod gather;
mod long;
mod ratios;
mod shrunk;
mod subjects;
mod today;
mod versions;
mod vintage;
mod wide;

pub use error::PanelError;
pub use ratios::RatioVersions;
pub use subjects::SubjectVersions;
pub use today::DayHistory;
pub use versions::{MetricPanel, VersionTable};
pub use vintage::add_known_until;
