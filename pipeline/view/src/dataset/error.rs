//! Errors of a snapshot that cannot be served.

use fdna_schemas::{ColumnError, TableError};
use uuid::Uuid;

use super::record_file::RecordError;

/// Why a snapshot's tables cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A column is missing or not what the contract says.
    #[error("cannot read a column of the snapshot")]
    Column(#[from] ColumnError),
    /// This build has no contract for a table.
    #[error("no contract for a table")]
    Contract(#[from] TableError),
    /// Columns of a table cannot be read.
    #[error("cannot read columns of a table")]
    Table(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Records cannot be written.
    #[error("cannot write the record file")]
    Record(#[from] RecordError),
    /// A row names something that is not there.
    #[error("no {what} {id}, which a row of `{table}` names")]
    Dangling { table: &'static str, what: &'static str, id: Uuid },
    /// A key stands in two rows.
    #[error("`{table}` has two rows with the id {id}")]
    Twice { table: &'static str, id: Uuid },
    /// A word that is none of the contract's.
    #[error("`{table}.{column}` is {word:?}, which is none of its words")]
    Word { table: &'static str, column: &'static str, word: String },
    /// A text is not the JSON that the contract says.
    #[error("cannot read json in `{table}.{column}`")]
    Text {
        table: &'static str,
        column: &'static str,
        #[source]
        source: serde_json::Error,
    },
    /// The words of names cannot be indexed.
    #[error("cannot index the words of names")]
    Search(#[from] fst::Error),
    /// A row cannot be written as JSON.
    #[error("cannot write a row as json")]
    Json(#[from] serde_json::Error),
}
