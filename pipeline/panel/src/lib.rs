//! Panels: Fight DNA of every fighter as it stood on a date, one row per fighter (wide) or one per fighter and
//! metric (long).
//!
//! A version is valid from the day after the bout that made it until the day of the next, and does not change
//! afterwards: a panel of any past date is a choice among the published versions. Only what moves with the days between
//! bouts (`of_the_day` in the catalogue) is computed, from bouts before the date. What the
//! definition itself knows of the later world is in every row of the wide panel: `constants_fitted_to` and
//! `gates_measured_to`.
//!
//! The sums behind the ratios (`panel_ratios`) are chosen so by [`RatioVersions`], or made by an engine outside from
//! observations of bouts: [`ratios_sql()`] is what it is asked, [`RatioCheck`] what its answer is held to.
//!
//! Panels of the multi-sport catalog ([`SubjectVersions`]) have a row for each subject and metric, as its table of versions has.
//!
//! [`VersionTable`] is made once of a `dna_versions` table and its [`DayHistory`], and asked for as many dates as wanted, by any number of
//! threads. Texts in its answers are dictionaries over the values of all versions: nothing but small integers
//! is copied for a date.

mod gather;
mod long;
mod ratios;
mod ratios_check;
mod ratios_sql;
mod subjects;
mod today;
mod versions;
mod wide;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_schemas::{ColumnError, TableError};

pub use ratios::RatioVersions;
pub use ratios_check::RatioCheck;
pub use ratios_sql::ratios_sql;
pub use subjects::SubjectVersions;
pub use today::DayHistory;
pub use versions::VersionTable;

/// The panel of one date: tables `panel_wide` and `panel_long`, but for the dictionaries as their contracts say.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricPanel {
    /// A row per fighter, in order of their ids.
    pub wide: RecordBatch,
    /// A row per fighter and metric, in order of the ids and of the catalogue.
    pub long: RecordBatch,
}

/// Why there is no panel.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    #[error("find the contract of a panel")]
    Contract(#[from] TableError),
    #[error("read the DNA versions")]
    Column(#[from] ColumnError),
    /// The first row, from 0, that does not come after the one before it.
    #[error("read the DNA versions: row {row} does not come after the one before it by fighter and date")]
    Order { row: usize },
    /// Rows that another engine made are not what they must be.
    #[error("trust the panel of {as_of}: {what}")]
    Wrong { as_of: NaiveDate, what: String },
    #[error("gather the rows of a panel")]
    Arrow(#[from] ArrowError),
}
