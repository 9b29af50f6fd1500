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
mod models;
mod rows;
mod settings;
mod views;
mod warehouse;

pub use audit::{AUDITS, Audit, Finding};
pub use models::{CapturedFacts, RowSelection, run_models};
pub use rows::{Format, Rows};
pub use settings::Limits;
pub use views::View;
pub use warehouse::{Warehouse, What};

/// Why the warehouse did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WarehouseError {
    /// The lake has not what was asked for, or not whole.
    #[error("read the lake")]
    Lake(#[from] fdna_lake::LakeError),
    /// There is nothing to ask yet.
    #[error("find a snapshot in `{lake}`: nothing has been published")]
    NoSnapshot { lake: std::path::PathBuf },
    /// The stage has no output under this fingerprint.
    #[error("find the output `{stage}/{fingerprint}`")]
    NoOutput { stage: fdna_lake::PipelineStage, fingerprint: fdna_lake::Fingerprint },
    /// A file of the lake has a name that the engine would not take for that of one file.
    #[error("read `{path}`: {why}")]
    Path { path: std::path::PathBuf, why: &'static str },
    /// A file of the lake cannot be located.
    #[error("locate `{path}`")]
    Locate { path: std::path::PathBuf, source: std::io::Error },
    /// DuckDB could not be set up.
    #[error("set up the database")]
    SetUp(#[source] duckdb::Error),
    /// A view could not be made over the files.
    #[error("make view `{view}`")]
    View { view: String, source: duckdb::Error },
    /// The query is wrong, or its values do not allow it.
    #[error("answer the query")]
    Query(#[source] duckdb::Error),
    /// The result could not be written as text.
    #[error("write the rows as text")]
    Text(#[from] rows::TextError),
    /// A model is wrong, or the values do not allow it.
    #[error("run model `{model}`")]
    Model { model: String, source: duckdb::Error },
    /// A model cannot convert a value of the facts.
    #[error("run model `{model}` over {places}")]
    Value { model: String, places: String, source: Box<duckdb::Error> },
    /// No row of a model can be published.
    #[error(
        "publish `{table}`: none of its {rows} rows can be, by its contract and key ({of}); the first: {first}"
    )]
    NoRow { table: String, rows: usize, of: String, first: String },
    /// A seed is no CSV.
    #[error("read seed `{seed}`")]
    Seed { seed: &'static str, source: csv::Error },
    /// Models read one another in a circle.
    #[error("order models: {models} read one another")]
    Cycle { models: String },
    /// Observations are not what DNA can be made of.
    #[error("derive `{dna}`: {why}")]
    Observations { dna: &'static str, why: String },
    /// A metric of DNA is not one that the engine has.
    #[error("derive `{dna}`")]
    Engine { dna: &'static str, source: fdna_dna::EngineError },
    /// A model yields two rows of one key.
    #[error("publish `{model}`: more than one row, or a null, for key ({of}): {keys}")]
    Key { model: String, of: String, keys: String },
    /// A model yields other columns than its contract has.
    #[error("publish `{table}`")]
    Rows { table: String, source: arrow::error::ArrowError },
    /// What a model is to be run over is not told.
    #[error("read the facts to run models over")]
    Request(#[source] serde_json::Error),
    /// An audit is broken, or does not fit the tables.
    #[error("run audit `{audit}`")]
    Audit { audit: String, source: Box<WarehouseError> },
}
