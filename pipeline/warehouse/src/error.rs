//! Errors of the warehouse.

use crate::rows;

/// Why the warehouse did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WarehouseError {
    /// The lake has not what was asked for, or not whole.
    #[error("cannot read the lake")]
    Lake(#[from] fdna_lake::LakeError),
    /// There is nothing to ask yet.
    #[error("no current snapshot in `{lake}`; run `fightdna run` to make one")]
    NoSnapshot { lake: std::path::PathBuf },
    /// The stage has no output under this fingerprint.
    #[error("no output `{stage}/{fingerprint}`")]
    NoOutput { stage: fdna_lake::PipelineStage, fingerprint: fdna_lake::Fingerprint },
    /// A file of the lake has a name that the engine would not take for that of one file.
    #[error("cannot read `{path}`: {why}")]
    Path { path: std::path::PathBuf, why: &'static str },
    /// A file of the lake cannot be located.
    #[error("cannot locate `{path}`")]
    Locate { path: std::path::PathBuf, source: std::io::Error },
    /// DuckDB could not be set up.
    #[error("cannot set up the database")]
    SetUp(#[source] duckdb::Error),
    /// A view could not be made over the files.
    #[error("cannot make view `{view}`")]
    View { view: String, source: duckdb::Error },
    /// The query is wrong, or its values do not allow it.
    #[error("cannot answer the query")]
    Query(#[source] duckdb::Error),
    /// The result could not be written as text.
    #[error("cannot write the rows as text")]
    Text(#[from] rows::TextError),
    /// A model is wrong, or the values do not allow it.
    #[error("cannot run model `{model}`")]
    Model { model: String, source: duckdb::Error },
    /// A model cannot convert a value of the facts.
    #[error("cannot run model `{model}` over {places}")]
    Value { model: String, places: String, source: Box<duckdb::Error> },
    /// No row of a model can be published.
    #[error(
        "cannot publish `{table}`: none of its {rows} rows keeps its contract and key ({of}); the first: {first}"
    )]
    NoRow { table: String, rows: usize, of: String, first: String },
    /// A seed is no CSV.
    #[error("cannot read seed `{seed}`")]
    Seed { seed: &'static str, source: csv::Error },
    /// Models read one another in a circle.
    #[error("models read one another: {models}")]
    Cycle { models: String },
    /// Observations are not what DNA can be made of.
    #[error("cannot derive `{dna}`: {why}")]
    Observations { dna: &'static str, why: String },
    /// A metric of DNA is not one that the engine has.
    #[error("cannot derive `{dna}`")]
    Engine { dna: &'static str, source: fdna_dna::EngineError },
    /// A model yields two rows of one key.
    #[error("cannot publish `{model}`: more than one row, or a null, for key ({of}): {keys}")]
    Key { model: String, of: String, keys: String },
    /// A model yields other columns than its contract has.
    #[error("cannot publish `{table}`")]
    Rows { table: String, source: arrow::error::ArrowError },
    /// The request for models cannot be parsed.
    #[error("cannot read the facts to run models over")]
    Request(#[source] serde_json::Error),
    /// An audit is broken, or does not fit the tables.
    #[error("cannot run audit `{audit}`")]
    Audit { audit: String, source: Box<WarehouseError> },
}
