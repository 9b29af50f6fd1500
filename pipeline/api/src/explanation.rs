//! Explanation of a published row, on the wire.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::formats;

/// A row of a table, by column.
pub(crate) type Cells = Map<String, Value>;

/// A published row, what it rests on, what it was before and what became of it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RowExplanation {
    /// The snapshot that the row is of.
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: String,
    pub table: String,
    pub key: Cells,
    /// The row; where a column was asked for, of that and of the key.
    pub cells: Cells,
    /// The column or metric that was asked for; null for the whole row.
    pub column: Option<String>,
    /// Address of the operation that explains the metric: its sums, prior, weight and bouts; null of any other column.
    pub metric: Option<String>,
    /// The same row in the current snapshot; null where that has the same values, or has it no more.
    pub now: Option<Cells>,
    /// Rows of `corrections` about it that were known to the snapshot, the oldest first.
    pub before: Vec<Cells>,
    /// Those that came later.
    pub later: Vec<Cells>,
    /// What sources state, the oldest first.
    pub statements: Vec<RowStatement>,
    /// Why records of sources are one entity: rows of `identities`.
    pub links: Vec<Cells>,
    /// Ids that were given up for this one, or this one for another: rows of `aliases`.
    pub aliases: Vec<Cells>,
    pub decisions: Vec<LinkDecision>,
    /// Links that no rule was sure of: rows of `doubtful_links`.
    pub doubts: Vec<Cells>,
    /// Other fighters of the same name, who were kept apart: rows of `fighters`.
    pub namesakes: Vec<Cells>,
    /// Rows of sources about it that were set aside: rows of `quarantine`.
    pub set_aside: Vec<Cells>,
}

/// A fact as a source states it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RowStatement {
    pub source: String,
    pub capture: String,
    #[schemars(with = "formats::Instant")]
    pub captured_at: String,
    /// Whether the capture counts.
    pub is_active: bool,
    /// Why it no longer does, in the words of who withdrew or replaced it; null where it counts, or nobody said.
    pub reason: Option<String>,
    /// The table of facts.
    pub table: String,
    pub file: String,
    pub line: i64,
    /// The row as it was read, without what it does not state.
    pub cells: Cells,
}

/// A person's decision about who is who.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LinkDecision {
    /// Whether the two are one.
    pub is_same: bool,
    /// The two, as `source:id`.
    pub ids: [String; 2],
    pub reason: String,
    #[schemars(with = "formats::Date")]
    pub on: String,
}
