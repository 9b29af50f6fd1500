//! Panels: Fight DNA of every fighter as it stood on a date, one row per fighter (wide) or one per fighter and
//! metric (long).
//!
//! A version is valid from the day after the bout that made it until the day of the next, and does not change
//! afterwards: a panel of any past date is a choice among the published versions. Only what moves with the days between
//! bouts (`of_the_day` in the catalogue) is computed, from bouts before the date. What the
//! definition itself knows of the later world is in every row of the wide panel: `constants_fitted_to` and
//! `gates_measured_to`.
//!
//! [`VersionTable`] is made once of a `dna_versions` table and its [`DayHistory`], and asked for as many dates as wanted, by any number of
//! threads. Texts in its answers are dictionaries over the values of all versions: nothing but small integers
//! is copied for a date.

mod gather;
mod long;
mod today;
mod versions;
mod wide;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use fdna_schemas::{ColumnError, TableError};

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
    #[error("gather the rows of a panel")]
    Arrow(#[from] ArrowError),
}
