//! DuckDB over what the lake holds: a view for each table, to be asked in SQL, and the audits that every
//! snapshot must pass. The one place with a SQL engine.
//!
//! ```text
//! fightdna-sql tables                                    views, rows, columns
//! fightdna-sql query "SELECT name FROM fighters"         --format table, csv or json; without a query, standard input
//! fightdna-sql query --snapshot ID …                     another snapshot than the current one
//! fightdna-sql query --stage derived/v1/FINGERPRINT …    the output of a stage
//! fightdna-sql audit                                     audits of schemas/, each of which must return no rows
//! fightdna-sql models --sport nhl                        tables of a sport of the catalog, as Arrow; asked by `fightdna`
//! ```
//!
//! `fightdna sql …` and `fightdna audit` run this program where it lies beside `fightdna` or on the `PATH`.
//! DuckDB is linked, not compiled: `tools/build-sql` fetches its library and builds the program; `build.rs` says where
//! else a library is looked for.
//!
//! The views read the lake's own Parquet files, after the lake has compared each with its digest:
//!
//! - those of a snapshot or of a stage output, under the names of its tables;
//! - `panel_wide`, `panel_long` and `panel_ratios` over the panels of all dates, where there are any;
//! - `version_metrics`: `dna_versions` with a row for each version and metric instead of a thousand columns;
//! - `quarantine` over what each sport set aside, of a snapshot of the catalog.
//!
//! Nothing is written, in the lake or elsewhere: the database is in memory and does not spill to disk, a query
//! is a single `SELECT`, no file but those behind the views can be opened, and no extension is loaded or fetched.

mod audit;
mod error;
mod models;
mod rows;
mod settings;
mod views;
mod warehouse;

pub use audit::{AUDITS, Audit, Finding};
pub use error::WarehouseError;
pub use models::{CapturedFacts, ModelsRequest, ModelsState, RowSelection, TableRows, run_models};
pub use rows::{Format, Rows};
pub use settings::EngineLimits;
pub use views::TableView;
pub use warehouse::{TableSelection, Warehouse};
