//! The changes that each publication brought, for who follows them: which rows of `/changes` a snapshot has that the one published
//! before it did not have, under ids that stay the same after a restart and on every host of a lake.
//!
//! ```text
//! event_id    the id of an event             history    the publications of a lake, and what comes behind an event
//! difference  rows that are new              mma        those of the MMA product; of the catalog: `catalog/changes`
//! ```

mod difference;
mod event_id;
mod history;
mod mma;

use fdna_lake::{Lake, LakeError, LogName};

pub(crate) use difference::new_items;
pub use event_id::{EventId, EventPlace, MalformedEventId, PublicationId};
pub use history::{NextEvents, PublicationHistory, PublishedSnapshot, StreamPosition};
pub(crate) use mma::new_changes;

use crate::LoadError;

/// Rows of `/changes` that a publication brought, each a line of JSON, oldest first.
#[derive(Debug, Default)]
pub struct NewChanges {
    pub rows: Vec<Box<str>>,
}

impl NewChanges {
    /// Bytes that keeping them takes, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.rows.iter().map(|row| (row.len() + size_of::<Box<str>>()) as u64).sum()
    }
}

/// Where the changes of publications come from. Calls read files: they run off the async threads.
pub trait ChangeSource: Send + Sync + 'static {
    /// A text that changes with every publication.
    ///
    /// # Errors
    /// It cannot be read.
    fn revision(&self) -> Result<String, LoadError>;

    /// All publications, of which this snapshot's newest is the one that is served.
    ///
    /// # Errors
    /// They cannot be read.
    fn publications(&self, served: &str) -> Result<PublicationHistory, LoadError>;

    /// Rows of `after` that `before` has not, of the list of this key: a sport of the catalog; MMA has one list. `None` where one
    /// of the two snapshots is no longer kept.
    ///
    /// # Errors
    /// Their tables cannot be read, or are of a contract that this build does not know.
    fn new_changes(&self, list: &str, before: &str, after: &str) -> Result<Option<NewChanges>, LoadError>;
}

/// The head of a lake's log of publications.
pub(crate) fn revision(lake: &Lake) -> Result<String, LoadError> {
    Ok(lake.log_head(LogName::Publications)?.sha256)
}

/// The publications of a lake, as its log has them.
pub(crate) fn publications(lake: &Lake, served: &str) -> Result<PublicationHistory, LoadError> {
    let log = lake.publications()?;
    let published = log.history.into_iter().map(|one| PublishedSnapshot {
        id: PublicationId::of_entry(one.snapshot.as_str(), &one.entry),
        at: Some(one.at),
    });
    Ok(PublicationHistory::new(published.collect(), served))
}

/// What was read of two snapshots; `None` where reading failed because one of them left the lake.
pub(crate) fn unless_gone<T>(
    lake: &Lake,
    ids: [&str; 2],
    read: Result<T, LoadError>,
) -> Result<Option<T>, LoadError> {
    let is_gone = |id: &str| match id.parse() {
        Ok(id) => matches!(lake.snapshot(&id), Err(LakeError::NoSnapshot { .. })),
        Err(_) => true,
    };
    match read {
        Ok(read) => Ok(Some(read)),
        Err(_) if ids.into_iter().any(is_gone) => Ok(None),
        Err(error) => Err(error),
    }
}
