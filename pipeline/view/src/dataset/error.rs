//! Why a snapshot cannot be served.

use fdna_schemas::{ColumnError, TableError};
use uuid::Uuid;

use super::record_file::RecordError;

/// Why a snapshot's tables cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A column is missing or not what the contract says.
    #[error("read a column of the snapshot")]
    Column(#[from] ColumnError),
    /// This build has no contract for a table.
    #[error("know what a table holds")]
    Contract(#[from] TableError),
    /// Columns of a table cannot be read.
    #[error("read columns of a table")]
    Table(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Records cannot be written.
    #[error("keep records for those who ask for them")]
    Record(#[from] RecordError),
    /// A row names something that is not there.
    #[error("find the {what} {id} that a row of `{table}` names")]
    Dangling { table: &'static str, what: &'static str, id: Uuid },
    /// A key stands in two rows.
    #[error("load `{table}`: two rows with the id {id}")]
    Twice { table: &'static str, id: Uuid },
    /// A word that is none of the contract's.
    #[error("read `{table}.{column}`: {word:?} is none of its words")]
    Word { table: &'static str, column: &'static str, word: String },
    /// A text is not the JSON that the contract says.
    #[error("read json in `{table}.{column}`")]
    Text {
        table: &'static str,
        column: &'static str,
        #[source]
        source: serde_json::Error,
    },
    /// The words of names cannot be indexed.
    #[error("index the words of names")]
    Search(#[from] fst::Error),
    /// A row cannot be written as JSON.
    #[error("write a row as json")]
    Json(#[from] serde_json::Error),
}
