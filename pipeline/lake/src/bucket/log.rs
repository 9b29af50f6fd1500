//! The log of a bucket: numbered entries, each an object that is created if there is none of that number. An entry is a
//! commit; what it puts and removes together is there from then on, or nothing of it.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::lease::Holder;

/// Format of the log's entries.
pub(super) const FORMAT: u32 = 1;

/// Name of the object that holds an entry.
pub(super) fn entry_name(version: u64) -> String {
    format!("log/{version:020}.json")
}

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Name of the object.
    pub(super) object: String,
    /// Where in it they begin, if it holds other files too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) offset: Option<u64>,
}

/// A file of the lake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredFile {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    /// When it was written, in milliseconds since 1970.
    pub(super) written_at: i64,
    /// `None` as long as only this process has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<Place>,
}

/// What an entry does besides putting and removing files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    /// A writer begins: from here on entries of no other count.
    Begin,
    Write,
    /// The writer ends.
    End,
}

/// An entry of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogEntry {
    pub(super) format: u32,
    pub(super) version: u64,
    /// SHA-256 of the entry before; nothing in the first.
    pub(super) previous: String,
    /// By which a writer that got no answer knows its own entry.
    pub(super) write_id: String,
    /// Number of the writer: each has one more than the one before.
    pub(super) epoch: u64,
    pub(super) action: Action,
    pub(super) at: DateTime<Utc>,
    pub(super) writer: Holder,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) put: BTreeMap<String, StoredFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remove: Vec<String>,
}

/// All files as of an entry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LogState {
    pub(super) format: u32,
    /// Number of the last entry; 0 before the first.
    pub(super) version: u64,
    /// SHA-256 of the last entry.
    pub(super) entry: String,
    pub(super) epoch: u64,
    /// Who writes, and since when, unless the last writer ended.
    pub(super) open: Option<(Holder, DateTime<Utc>)>,
    pub(super) files: BTreeMap<String, StoredFile>,
}

impl LogState {
    /// Takes the next entry in, whose bytes have that digest.
    pub(super) fn apply(&mut self, entry: LogEntry, sha256: String) -> Result<(), String> {
        if entry.format > FORMAT {
            return Err(format!("it has format {}, and this program knows up to {FORMAT}", entry.format));
        }
        if entry.version != self.version + 1 || entry.previous != self.entry {
            return Err("it does not follow the entry before it".to_owned());
        }
        match entry.action {
            Action::Begin => self.open = Some((entry.writer, entry.at)),
            Action::End => self.open = None,
            Action::Write => {}
        }
        (self.format, self.version, self.entry, self.epoch) = (FORMAT, entry.version, sha256, entry.epoch);
        for key in entry.remove {
            self.files.remove(&key);
        }
        self.files.extend(entry.put);
        Ok(())
    }

    /// Where each content is that a file has.
    pub(super) fn places(&self) -> HashMap<String, Place> {
        let placed = self.files.values().filter_map(|file| Some((file.sha256.clone(), file.place.clone()?)));
        placed.collect()
    }
}

/// Where readers begin: it may be old, and they go on from it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LogHint {
    pub(super) format: u32,
    /// Number of an entry.
    pub(super) version: u64,
    /// The state as of an entry, as an object.
    pub(super) checkpoint: Option<Checkpoint>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) version: u64,
    pub(super) object: String,
    pub(super) sha256: String,
    pub(super) bytes: u64,
}
