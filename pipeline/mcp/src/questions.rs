//! Queries in SQL, which no operation of the API takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Refusal;

/// Rows of a query, at most.
pub(crate) const MAX_ROWS: u32 = 1000;

/// Bytes of its text, at most.
pub(crate) const MAX_QUERY_BYTES: usize = 10_000;

/// A query, and its bounds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SqlQuestion {
    /// A single SELECT in the dialect of DuckDB.
    #[schemars(length(min = 1, max = MAX_QUERY_BYTES))]
    pub query: String,
    /// Whose tables.
    #[serde(default)]
    pub lake: LakeName,
    /// Rows at most.
    #[serde(default = "default_rows")]
    #[schemars(range(min = 1, max = MAX_ROWS))]
    pub limit: u32,
    /// Id of a published snapshot; without, the one that is served.
    #[schemars(regex(pattern = r"^[0-9a-f]{32}$"))]
    pub snapshot: Option<String>,
}

fn default_rows() -> u32 {
    100
}

/// A lake that is served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum LakeName {
    /// Fights.
    #[default]
    Mma,
    /// The multi-sport catalog.
    Catalog,
}

/// Rows of a query, at most one more than were asked for.
#[derive(Debug)]
pub struct QueryRows {
    pub rows: Vec<Value>,
}

/// Runs queries over the tables of snapshots.
pub trait QueryRunner: std::fmt::Debug + Send + Sync {
    /// The rows of a query over the tables of this snapshot, within bounds of time and memory. Blocks.
    ///
    /// # Errors
    /// It is no single SELECT, or wrong, or runs out of its bounds.
    fn run_query(&self, question: &SqlQuestion, snapshot: &str) -> Result<QueryRows, Refusal>;
}
