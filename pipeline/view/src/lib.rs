//! The read model: the tables of one published snapshot in memory, the fight-week ledger beside them, and the operations
//! of the API as plain functions of both, the checked parameters and the time of the request. No HTTP.
//!
//! ```text
//! load        from the lake to a dataset          dataset     finished JSON and indexes of one snapshot
//! operations  one function an operation           ledger      rows of the fight-week ledger
//! catalog     the tables of the multi-sport catalog    table_csv   a table as CSV
//! change_stream  what each publication changed
//! ```
//!
//! The time of a request decides which images may be shown and which articles are published, and nothing else; an
//! answer as of a date does not look at it.

pub mod catalog;
pub mod change_stream;
pub mod dataset;
mod lake_source;
mod ledger;
mod load;
pub mod operations;
mod published_tables;
mod snapshot_source;
mod table_csv;

pub use dataset::{CompleteDataset, Dataset, DatasetError, LazyColumns, SnapshotInfo, SnapshotTables};
pub use fdna_lake::VerifiedFile;
pub use lake_source::LakeSource;
pub use ledger::{Ledger, LedgerError};
pub use load::{LoadError, error_chain, on_half_of_the_cores};
pub use operations::{Handler, OperationRequest, OperationResponse};
pub use published_tables::{has_csv, published_tables, table_path};
pub use snapshot_source::SnapshotSource;
pub use table_csv::{MAX_CSV_CELLS, TableCsv};
