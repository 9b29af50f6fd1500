//! Sources of snapshots.

use std::sync::Arc;

use fdna_api::{Snapshot, SnapshotManifest};
use fdna_lake::VerifiedFile;

use crate::change_stream::ChangeSource;
use crate::{Dataset, Ledger, LoadError};

/// Where snapshots come from. Calls may block: they run off the async threads.
pub trait SnapshotSource: Send + Sync + 'static {
    /// Id of the snapshot to be served now; `None` before the first.
    ///
    /// # Errors
    /// The pointer cannot be read.
    fn current(&self) -> Result<Option<String>, LoadError>;

    /// The snapshot, checked; it may be without what [`Self::load_rest`] adds.
    ///
    /// # Errors
    /// Any part of it cannot be read or does not fit: nothing of it is served then.
    fn load(&self, id: &str) -> Result<Dataset, LoadError>;

    /// Adds to a dataset of [`Self::load`] what it is without, if anything.
    ///
    /// # Errors
    /// As [`Self::load`].
    fn load_rest(&self, _dataset: &Dataset) -> Result<(), LoadError> {
        Ok(())
    }

    /// The whole snapshot.
    ///
    /// # Errors
    /// As [`Self::load`].
    fn load_whole(&self, id: &str) -> Result<Dataset, LoadError> {
        let dataset = self.load(id)?;
        self.load_rest(&dataset)?;
        Ok(dataset)
    }

    /// All snapshots that can be asked for by id, the newest first; which is current is not told here.
    ///
    /// # Errors
    /// They cannot be read.
    fn snapshots(&self) -> Result<Vec<Snapshot>, LoadError> {
        Ok(Vec::new())
    }

    /// What a snapshot consists of; `None` where none has the id.
    ///
    /// # Errors
    /// It cannot be read.
    fn manifest(&self, _id: &str) -> Result<Option<SnapshotManifest>, LoadError> {
        Ok(None)
    }

    /// The file of a snapshot's table, checked against its digest, and that digest; `None` where the snapshot has no such
    /// table.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn table_file(&self, _id: &str, _table: &str) -> Result<Option<(VerifiedFile, String)>, LoadError> {
        Ok(None)
    }

    /// Where the changes of publications are found; `None` where nothing is known of them.
    fn changes(&self) -> Option<Arc<dyn ChangeSource>> {
        None
    }

    /// Ids of those that [`Self::snapshots`] left out when it was last asked, because they are damaged.
    fn damaged(&self) -> Vec<String> {
        Vec::new()
    }

    /// A message as strangers may read it: without the place where the source is kept.
    fn redacted(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Digest of the newest row of the fight-week ledger; `None` before the first.
    ///
    /// # Errors
    /// The ledger's head cannot be read.
    fn ledger_head(&self) -> Result<Option<String>, LoadError> {
        Ok(None)
    }

    /// The whole ledger, checked; `None` before its first row.
    ///
    /// # Errors
    /// Any part of it cannot be read.
    fn load_ledger(&self) -> Result<Option<Ledger>, LoadError> {
        Ok(None)
    }
}
