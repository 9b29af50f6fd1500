//! A writer's time at a bucket: it begins and ends with an entry of the log.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, Utc};

use super::Bucket;
use super::HEAD;
use super::clock;
use super::lease::{Holder, Renewal, is_held};
use super::log::{Action, Checkpoint, FORMAT, LogEntry, LogHint, LogState, entry_name};
use crate::digest::sha256;

/// Entries after which all files are written down together.
const CHECKPOINT_EVERY: u64 = 32;

#[derive(Debug)]
pub(super) struct Session {
    pub(super) epoch: u64,
    pub(super) holder: Holder,
    /// Ids of entries of which it is not known whether they are there.
    pub(super) doubtful: BTreeSet<String>,
    /// Why nothing more can be written.
    pub(super) lost: Option<String>,
    pub(super) entries: u64,
    renewal: Option<Renewal>,
}

/// Why a writer cannot begin.
#[derive(Debug)]
pub(crate) enum BeginError {
    /// Another one is at work.
    Held {
        owner: String,
        since: DateTime<Utc>,
        place: String,
    },
    Io(io::Error),
}

impl From<io::Error> for BeginError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The one writer of a bucket, until dropped.
#[derive(Debug)]
pub(crate) struct BucketWriter(Arc<Bucket>);

/// What could not be committed when a writer ended, where nobody could be told.
static UNCOMMITTED: Mutex<Option<String>> = Mutex::new(None);

/// What writers could not commit when they ended, once.
#[must_use]
pub fn take_uncommitted() -> Option<String> {
    UNCOMMITTED.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn held(holder: &Holder, since: DateTime<Utc>) -> BeginError {
    BeginError::Held { owner: holder.owner.clone(), since, place: holder.describe() }
}

impl Bucket {
    /// Becomes the one writer.
    pub(crate) fn begin(self: &Arc<Self>, owner: &str) -> Result<BucketWriter, BeginError> {
        let client = self.client()?;
        let _one = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = &self.lock().session {
            return Err(held(&session.holder, clock::now_in_utc()));
        }
        self.read_log()?;
        let (version, previous, epoch, open) = {
            let mut state = self.lock();
            let log = state.log();
            (log.version + 1, log.entry.clone(), log.epoch + 1, log.open.clone())
        };
        if let Some((holder, since)) = open
            && !holder.is_gone()
            && is_held(client, epoch - 1, since)?
        {
            return Err(held(&holder, since));
        }
        let holder = Holder::this_process(owner);
        let entry = LogEntry {
            format: FORMAT,
            version,
            previous,
            write_id: uuid::Uuid::new_v4().to_string(),
            epoch,
            action: Action::Begin,
            at: clock::now_in_utc(),
            writer: holder.clone(),
            put: BTreeMap::new(),
            remove: Vec::new(),
        };
        let text = Bytes::from(serde_json::to_vec(&entry).map_err(io::Error::from)?);
        // Before anybody can read of it.
        holder.remember();
        let is_ours = self.create_first_entry(version, &text);
        if !matches!(is_ours, Ok(true)) {
            holder.forget();
        }
        if !is_ours? {
            self.read_log()?;
            return Err(match &self.lock().log().open {
                Some((holder, since)) => held(holder, *since),
                None => io::Error::other("another writer was faster, and has ended: try again").into(),
            });
        }
        {
            let mut state = self.lock();
            self.take_entry(state.log(), version, &text)?;
            state.places = state.log().places();
            state.session = Some(Session {
                epoch,
                holder: holder.clone(),
                doubtful: BTreeSet::new(),
                lost: None,
                entries: 1,
                renewal: None,
            });
        }
        let writer = BucketWriter(Arc::clone(self));
        let renewal = Renewal::begin(Arc::clone(client), epoch, holder)?;
        if let Some(session) = &mut self.lock().session {
            session.renewal = Some(renewal);
        }
        Ok(writer)
    }

    /// Creates the entry by which a writer begins; says whether it is there. It is offered twice: a store that takes it twice
    /// would give the lake to two writers.
    fn create_first_entry(&self, version: u64, text: &Bytes) -> io::Result<bool> {
        let (client, name) = (self.client()?, entry_name(version));
        let created = client.create(&name, text.clone());
        if matches!(created, Ok(true)) {
            return match client.create(&name, text.clone())? {
                true => Err(self.no_conditions()),
                false => Ok(true),
            };
        }
        // Another writer's, or this one's, of which the answer was lost.
        match (client.get(&name)?, created) {
            (Some(there), _) => Ok(there == *text),
            (None, created) => created,
        }
    }

    /// Two writers would both believe to have written the same entry.
    fn no_conditions(&self) -> io::Error {
        let why = format!(
            "the object store of `{}` cannot hold a lake: it writes over an object that was to be created only if there is \
             none (PUT with If-None-Match: *)",
            self.address
        );
        io::Error::new(ErrorKind::Unsupported, why)
    }

    /// Whether another process writes, or this one.
    pub(crate) fn is_being_written(&self) -> io::Result<bool> {
        let (open, epoch) = {
            let mut state = self.current(false)?;
            if state.session.is_some() {
                return Ok(true);
            }
            (state.log().open.clone(), state.log().epoch)
        };
        match open {
            Some((holder, since)) if !holder.is_gone() => is_held(self.client()?, epoch, since),
            _ => Ok(false),
        }
    }

    /// Commits what is left, and lets the next writer begin.
    fn end(&self) -> io::Result<()> {
        let done = self.commit_all().and_then(|()| self.append(Action::End, BTreeMap::new(), Vec::new()));
        let session = self.lock().session.take();
        if let Some(session) = &session {
            session.holder.forget();
        }
        let mut state = self.lock();
        if let Err(error) = done {
            // What is there is not what this process believes: it is read anew.
            state.log = None;
            state.changed.clear();
            state.refreshed = None;
            return if session.is_some_and(|session| session.lost.is_some()) { Ok(()) } else { Err(error) };
        }
        let log = state.log();
        log.open = None;
        drop(state);
        let committed = self.committed();
        let _ = self.keep_state();
        let hint = self.write_hint(&committed, session.map_or(0, |session| session.entries));
        if let Err(error) = hint {
            tracing::warn!(%error, "readers will begin from an older entry of the log");
        }
        Ok(())
    }

    fn write_hint(&self, log: &LogState, entries: u64) -> io::Result<()> {
        let client = self.client()?;
        let before = client.get(HEAD)?.and_then(|text| serde_json::from_slice::<LogHint>(&text).ok());
        let mut checkpoint = before.and_then(|hint| hint.checkpoint);
        let since = checkpoint.as_ref().map_or(log.version, |checkpoint| log.version - checkpoint.version);
        if since >= CHECKPOINT_EVERY || (checkpoint.is_none() && entries > 2) {
            let text = Bytes::from(serde_json::to_vec(log)?);
            let digest = sha256(&text);
            let object = format!("checkpoints/{digest}-{:020}.json", log.version);
            let bytes = text.len() as u64;
            client.put(&object, text)?;
            checkpoint = Some(Checkpoint { version: log.version, object, sha256: digest, bytes });
        }
        let hint = LogHint { format: FORMAT, version: log.version, checkpoint };
        client.put(HEAD, serde_json::to_vec(&hint)?.into())
    }
}

impl Drop for BucketWriter {
    fn drop(&mut self) {
        if let Err(error) = self.0.end() {
            tracing::error!(%error, "the end of a run was not committed");
            *UNCOMMITTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
    }
}
