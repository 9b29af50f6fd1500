//! Errors of a capture that cannot be read.

use fdna_schemas::ColumnError;

/// A failure that no single row explains. Bad rows are findings, not errors.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    #[error("cannot build facts table `{table}`")]
    Table {
        table: String,
        #[source]
        source: ColumnError,
    },
    #[error("no contract for source `{0}`")]
    UnknownSource(String),
}
