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
//! Everything appears whole or not at all: files are put into their folder one by one, each written under a
//! temporary name, synced and renamed, and the manifest last. What has no manifest is not there. Every file has its
//! SHA-256 in a manifest, or as JSON in its own first line, and is checked when it is read, because Parquet alone does
//! not notice a flipped bit. There is one writer at a time; readers never wait. No time is read here: every instant is
//! passed in.
//!
//! ```
//! let lake = fdna_lake::Lake::open("/no/such/folder");
//! // A folder that is not there reads as an empty lake, and reading makes nothing.
//! assert!(lake.current()?.is_none());
//! # Ok::<(), fdna_lake::LakeError>(())
//! ```

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests play the disk that damages a file behind the lake's back"
    )
)]

mod capture;
mod capture_log;
mod column_encoder;
mod commits;
mod contract;
mod digest;
mod disk;
mod error;
mod fetch_state;
mod file_content;
mod files;
mod fingerprint;
mod foreign;
mod gc;
mod heads;
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
mod repair;
mod reserve;
mod retention;
mod retract;
mod run;
mod seal;
mod snapshot;
mod stage;
mod store;
mod table_file;
#[cfg(test)]
mod testing;
mod verified_file;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};

pub use capture::{AddedCapture, Capture, NewCapture};
pub use capture_log::{
    CATALOG_PRODUCT, CaptureDecision, CaptureLog, LakeKind, LoggedCapture, MissingCapture, PRODUCT,
    PROPERTIES_PRODUCT, product_of,
};
pub use column_encoder::ColumnEncoder;
pub use commits::in_parallel;
pub use digest::{NotAnId, sha256, sha256_of};
pub use disk::FaultHook;
pub use error::{ContractError, LakeError};
pub use fetch_state::{FetchState, FetchedFile};
pub use files::{CheckedFile, put_file};
pub use fingerprint::{Fingerprint, FingerprintBuilder};
pub use foreign::{ForeignPartition, read_foreign_partition};
pub use gc::SweptFiles;
pub use heads::LogHeads;
pub use ledger::{LedgerDue, LedgerHead, LedgerPart};
pub use log::{ChainedLog, LogEntry, LogHead, LogName};
pub use manifest::{FileEntry, TableEntry};
pub use open_table::OpenTable;
pub use panel::{PanelDraft, PanelManifest, PanelSet};
pub use parquet_io::EncodedTable;
pub use publications::{PersonsWord, Publication, PublicationKind, PublicationLog};
pub use repair::LakeRepair;
pub use retention::RetentionPolicy;
pub use snapshot::{
    CaptureRef, DraftTable, SnapshotDraft, SnapshotId, SnapshotInput, SnapshotList, SnapshotManifest,
};
pub use stage::{PipelineStage, StageOutput, StageTables};
pub use verified_file::VerifiedFile;
pub use verify::{LakeProblem, LakeVerification};

/// Version of the bytes that the lake writes: Parquet settings and the rules of digests. It enters every
/// fingerprint and snapshot id, so that a change of it makes everything anew.
pub const DATA_FORMAT: u32 = 2;

/// Greatest `format` number of a manifest, `current.json` or `capture.json` that this build reads, and the one
/// it writes. Fields may be added within a number. From 2 on a file carries a digest of itself.
pub const MANIFEST_FORMAT: u32 = 2;

/// A read handle on a lake folder; cheap to clone, never writes, never waits for the writer.
#[derive(Clone, Debug)]
pub struct Lake {
    store: store::LakeStore,
    /// Shared by clones of the handle.
    captures_read: Arc<Mutex<Option<capture_log::ReadCaptureLog>>>,
}

impl Lake {
    /// A handle on the lake in the folder `root`. The disk is not touched; a folder that is not there reads as
    /// an empty lake.
    #[must_use]
    pub fn open(root: impl Into<PathBuf>) -> Self {
        Self { store: store::LakeStore::new(root.into()), captures_read: Arc::default() }
    }

    /// Calls `hook` with a stable name right before each durable step of a commit, and once after the last one
    /// (`…/done`), so that a test can break off at any of them. Names are `<what>/<step>`: what is `capture`,
    /// `stage`, `snapshot`, `ledger`, `current`, `run`, `fetch`, `gc`, or `sweep` for a folder that an earlier writer left half
    /// filled. A folder has the steps `retract` (only where a damaged one is replaced: its manifest goes),
    /// `begin` (the manifest is written under a temporary name), `file` and `rename` for each file, or `link` for one
    /// that is there already under another name, `folder`,
    /// `manifest` (it gets its name: now the folder is there), `parent`, `done`; a single file `file`,
    /// `rename`, `parent`, `done`; a removal `rename`, `remove`. A `panel` has those of a single file for each
    /// table and then for its manifest, and before them `retract` where there is an older one.
    #[must_use]
    pub fn with_step_hook(mut self, hook: Arc<dyn Fn(&str) + Send + Sync>) -> Self {
        self.store.set_hook(hook);
        self
    }

    /// Asks `hook` before every operation on the disk that writes, so that a test can be the disk that is full or
    /// fails, or end the process there: an error that it gives is told instead of doing the operation. It gets the
    /// operation and the file or folder, from the root. Operations are `create_folder`, `open` (of the lock),
    /// `create`, `write` and `sync` of a file, `link`, `rename` (with the new name), `sync_folder` and `remove`, which
    /// is asked for each file and folder of a tree.
    #[must_use]
    pub fn with_fault_hook(mut self, hook: FaultHook) -> Self {
        self.store.fault = Some(hook);
        self
    }

    /// The folder of this lake.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.store.root()
    }

    /// Creates the folder where there is none, becomes its one writer, and sweeps what an earlier writer left
    /// half done. `owner` and `now` are what another writer is told meanwhile.
    ///
    /// # Errors
    /// [`LakeError::Locked`] while another writer lives; otherwise the folder cannot be written.
    pub fn writer(&self, owner: &str, now: DateTime<Utc>) -> Result<LakeWriter, LakeError> {
        self.store.create_root()?;
        let lock = lock::LakeLock::take(&self.store, owner, now)?;
        let leftovers = gc::sweep_leftovers(&self.store)?;
        self.store.set_reserve_aside();
        if leftovers > 0 {
            tracing::info!(leftovers, "swept what an interrupted run left");
        }
        Ok(LakeWriter { lake: self.clone(), owner: owner.to_owned(), now, _lock: lock })
    }
}

/// The one writer of a lake, until it is dropped or its process ends.
#[derive(Debug)]
pub struct LakeWriter {
    lake: Lake,
    owner: String,
    now: DateTime<Utc>,
    _lock: lock::LakeLock,
}

impl LakeWriter {
    /// The lake that this writes, to read.
    #[must_use]
    pub fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Who it is, as others are told while it holds the lock.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// When it began.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }
}
