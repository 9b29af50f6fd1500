//! The lake: the one place that writes what the pipeline keeps, and the handle that everything else reads it by.
//!
//! ```text
//! raw/<source>/<capture>/…  + capture.json           files as received
//! facts/<source>/<fingerprint>/<table>.parquet       stage outputs, each addressed by what went in,
//! normalised/<fingerprint>/…                         with a manifest.json
//! merging/<fingerprint>/state.bin                    where the merging of captures stands
//! derived/v1/<fingerprint>/…
//! observations/<fingerprint>/…                       what engines outside are given
//! catalog/<sport>/<fingerprint>/…                    tables of a sport of the multi-sport catalog
//! snapshots/<id>/manifest.json + tables/*.parquet    what is published; never changes
//! panels/wide/as_of=<date>/… · long/… · ratios/… · manifests/   all fighters as of a date, replaced when asked again
//! ledger/<number>/ledger.parquet · head.json         the fight-week ledger: parts that are only ever added
//! log/<name>.jsonl                  captures, publications and published ids: lines that seal one another
//! decisions/used/<digest>/…         what people decided about who is who, as runs followed it
//! current.json · ledger-due.json · runs/<run>.json · fetch/<source>.json · lock · reserve
//! ```
//!
//! The same keys are in a folder or in an object store (`s3://bucket/prefix`, `file:///folder`): see `bucket.rs`.
//!
//! Everything appears whole or not at all: files are put into their folder one by one, each written under a
//! temporary name, synced and renamed, and the manifest last. What has no manifest is not there. Every file has its
//! SHA-256 in a manifest, or as JSON in its own first line, and is checked when it is read, because Parquet alone does
//! not notice a flipped bit. There is one writer at a time; readers never wait. No time is read here but the age of what a
//! bucket needs for a while (`bucket/clock.rs`): every instant is
//! passed in.
//!
//! ```
//! let lake = fdna_lake::Lake::open("/no/such/folder");
//! // A folder that is not there reads as an empty lake, and reading makes nothing.
//! assert!(lake.current_snapshot()?.is_none());
//! # Ok::<(), fdna_lake::LakeError>(())
//! ```

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests play the disk that damages a file behind the lake's back"
    )
)]

mod backend;
mod bucket;
mod capture;
mod capture_log;
mod column_encoder;
mod commits;
mod contract;
mod copy;
mod digest;
mod disk;
mod error;
mod fetch_state;
mod file_content;
mod files;
mod fingerprint;
mod folder;
mod format;
mod gc;
mod heads;
mod host;
mod keys;
mod lake;
mod ledger;
mod links;
mod lock;
mod log;
mod manifest;
mod mend;
mod open_table;
mod panel;
mod parquet_io;
mod publications;
mod record_batches;
mod repair;
mod reserve;
mod retention;
mod retract;
mod row_encoder;
mod run;
mod seal;
mod snapshot;
mod snapshot_id;
mod stage;
mod store;
mod table_export;
mod table_file;
#[cfg(test)]
mod testing;
mod verification;
mod verified_file;
mod verify;
mod writer;
mod writer_lock;

pub use backend::FileStamp;
pub use bucket::{ObjectFolder, take_uncommitted};
pub use capture::{AddedCapture, Capture, NewCapture};
pub use capture_log::{
    CATALOG_PRODUCT, CaptureDecision, CaptureLog, LakeKind, LoggedCapture, MissingCapture, PRODUCT,
    PROPERTIES_PRODUCT, product_of,
};
pub use column_encoder::ColumnEncoder;
pub use commits::{in_parallel, in_parallel_at_most};
pub use copy::CopiedFiles;
pub use digest::{NotAnId, sha256, sha256_of};
pub use disk::FaultHook;
pub use error::{ContractError, LakeError};
pub use fetch_state::{FetchState, FetchedFile};
pub use files::{CheckedFile, put_file};
pub use fingerprint::{Fingerprint, FingerprintBuilder};
pub use format::{DATA_FORMAT, MANIFEST_FORMAT};
pub use gc::SweptFiles;
pub use heads::LogHeads;
pub use lake::{Lake, LakeWriter};
pub use ledger::{LedgerDue, LedgerHead, LedgerPart};
pub use log::{ChainedLog, LogEntry, LogHead, LogName};
pub use manifest::{FileEntry, TableEntry};
pub use open_table::OpenTable;
pub use panel::{PanelDraft, PanelManifest, PanelSet};
pub use parquet_io::EncodedTable;
pub use publications::{PersonsWord, Publication, PublicationKind, PublicationLog};
pub use record_batches::RecordBatches;
pub use repair::LakeRepair;
pub use retention::RetentionPolicy;
pub use row_encoder::RowEncoder;
pub use snapshot::{CaptureRef, DraftTable, SnapshotDraft, SnapshotInput, SnapshotList, SnapshotManifest};
pub use snapshot_id::SnapshotId;
pub use stage::{PipelineStage, StageOutput, StageTables};
pub use verification::{LakeProblem, LakeVerification};
pub use verified_file::VerifiedFile;
