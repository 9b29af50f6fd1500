//! What is asked of the lake itself, beside the operations of the API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Refusal;

/// Of which row, and of which of its values.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainQuestion {
    /// Table of the snapshot, such as `dna_versions`, `results` or `fighters`.
    #[schemars(length(min = 1, max = 100))]
    pub table: String,
    /// Key of the row: `bout_id=…,round=1`, or its values in the order of the key. For a fighter also a name, an id of a source,
    /// or a slug_id; a DNA version without a number is the newest.
    #[schemars(length(min = 1, max = 400))]
    pub key: String,
    /// Column of the table; of `dna_versions` also the name of a metric, such as `sig_landed_per_min`. Without it, the whole row.
    #[schemars(length(min = 1, max = 100))]
    pub column: Option<String>,
    /// Id of a published snapshot; without, the one that is served.
    #[schemars(regex(pattern = r"^[0-9a-f]{32}$"))]
    pub snapshot: Option<String>,
}

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

/// Why a row says what it says.
#[derive(Debug)]
pub struct Explained {
    /// Its lineage.
    pub lineage: Value,
    /// The operation that explains the metric that was asked about, as its address.
    pub metric_address: Option<String>,
}

/// Rows of a query, at most one more than were asked for.
#[derive(Debug)]
pub struct QueryRows {
    pub rows: Vec<Value>,
}

/// Answers what the operations of the API do not; both block.
pub trait LakeAnswers: std::fmt::Debug + Send + Sync {
    /// The lineage of a row of this snapshot of the lake of fights.
    ///
    /// # Errors
    /// There is no such row, or it cannot be read.
    fn explain(&self, question: &ExplainQuestion, snapshot: &str) -> Result<Explained, Refusal>;

    /// The rows of a query over the tables of this snapshot, within bounds of time and memory.
    ///
    /// # Errors
    /// It is no single SELECT, or wrong, or runs out of its bounds.
    fn query(&self, question: &SqlQuestion, snapshot: &str) -> Result<QueryRows, Refusal>;
}
