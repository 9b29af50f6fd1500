//! The captures that a lake has had, and what people decided about them: `log/captures.jsonl`.
//!
//! A folder in `raw/` says what a capture holds; this log says that it belongs there. So a capture that is gone, or
//! another one in its place, is noticed, and what was withdrawn stays where it is without counting.

use std::collections::{BTreeSet, HashMap};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_schemas::{CatalogSource, PROPERTIES};
use serde::{Deserialize, Serialize};

use crate::backend::EntryKind;
use crate::capture::Capture;
use crate::keys::join_keys;
use crate::log::{ChainedLog, LogName};
use crate::manifest::{check_name, instant};
use crate::{Lake, LakeError, LakeWriter, LogEntry, LogHead};

/// Product of a lake of Fight DNA.
pub const PRODUCT: &str = "mma";

/// Product of a lake of the multi-sport catalog. A lake is for one product; another product's lake is not touched.
pub const CATALOG_PRODUCT: &str = "catalog";

/// Product of a lake of properties and their sales.
pub const PROPERTIES_PRODUCT: &str = "properties";

/// Product that captures of this source belong to.
#[must_use]
pub fn product_of(source: &str) -> &'static str {
    match CatalogSource::get(source) {
        Some(source) if source.sport == PROPERTIES => PROPERTIES_PRODUCT,
        Some(_) => CATALOG_PRODUCT,
        None => PRODUCT,
    }
}

/// Kind of a lake, written down when it was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LakeKind {
    /// Product of its tables.
    pub product: String,
    /// Whether its captures are made up. A lake holds real captures or made-up ones, never both.
    pub synthetic: bool,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
enum CaptureAction {
    /// The lake began, or its log begins anew.
    Begin { product: String, synthetic: bool },
    /// A capture was taken in; `found` where its folder was there before the log knew of it.
    Add { capture: Capture, found: bool },
    /// It does not count until it is restored.
    Withdraw { source: String, id: String, reason: String },
    /// It counts again.
    Restore { source: String, id: String, reason: String },
    /// Another capture stands in its place.
    Replace { source: String, id: String, with: String, reason: String },
    /// A person believes it although it looks incomplete.
    Accept { source: String, id: String, reason: String },
    /// Captures of sources with these licences count from now on, and no others.
    Licences { licences: BTreeSet<String> },
}

/// A person's decision about a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaptureDecision {
    /// `withdraw`, `restore`, `replace` or `accept`.
    pub action: &'static str,
    /// When, in UTC.
    #[serde(with = "instant")]
    pub at: DateTime<Utc>,
    /// By whom.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Of a replacement, the capture that took its place.
    pub with: Option<String>,
}

/// A capture that the lake has had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCapture {
    /// The capture as it was added.
    pub capture: Capture,
    /// When it was taken in.
    pub added_at: DateTime<Utc>,
    /// By which command.
    pub added_by: String,
    /// Whether it counts.
    pub is_active: bool,
    /// Whether a person believes it although it looks incomplete.
    pub is_accepted: bool,
    /// Decisions about it, the oldest first.
    pub decisions: Vec<CaptureDecision>,
}

/// Every capture that a lake has had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureLog {
    /// Kind of the lake; `None` before its first capture.
    pub kind: Option<LakeKind>,
    /// By source, time and id.
    pub captures: Vec<LoggedCapture>,
    /// Licences whose sources count; `None` where nobody chose any yet.
    pub licences: Option<BTreeSet<String>>,
    /// How far the log goes.
    pub head: LogHead,
    places: CapturePlaces,
}

/// Places in a list of captures, by source and id.
type CapturePlaces = HashMap<String, HashMap<String, usize>>;

/// Cache of the parsed log and its text: a run asks for it many times, and it rarely grows.
#[derive(Debug)]
pub(crate) struct ReadCaptureLog {
    text: Bytes,
    log: Arc<CaptureLog>,
}

impl CaptureLog {
    /// The capture of this source and id.
    #[must_use]
    pub fn find_capture(&self, source: &str, id: &str) -> Option<&LoggedCapture> {
        self.captures.get(*self.places.get(source)?.get(id)?)
    }

    /// Whether another capture of the source has its time and counts.
    pub(crate) fn has_another_of_its_time(&self, capture: &Capture) -> bool {
        let mut active = self.active_captures().map(|known| &known.capture);
        active.any(|known| (&known.source, known.captured_at) == (&capture.source, capture.captured_at))
    }

    /// Those that count.
    pub fn active_captures(&self) -> impl Iterator<Item = &LoggedCapture> {
        self.captures.iter().filter(|known| known.is_active)
    }

    fn from_log(log: &ChainedLog) -> Result<Self, serde_json::Error> {
        let mut all = Self { head: log.head(), ..Self::default() };
        log.entries_after_replacement().try_for_each(|entry| all.apply_entry(entry))?;
        all.captures.sort_by_cached_key(|LoggedCapture { capture, .. }| {
            (capture.source.clone(), capture.captured_at, capture.id.clone())
        });
        all.places.clear();
        for (place, LoggedCapture { capture, .. }) in all.captures.iter().enumerate() {
            all.places.entry(capture.source.clone()).or_default().insert(capture.id.clone(), place);
        }
        Ok(all)
    }

    fn apply_entry(&mut self, entry: &LogEntry) -> Result<(), serde_json::Error> {
        let (added_at, added_by) = (entry.at, entry.by.clone());
        match entry.parse_body()? {
            CaptureAction::Begin { product, synthetic } => self.kind = Some(LakeKind { product, synthetic }),
            CaptureAction::Add { capture, .. } => {
                let (is_active, is_accepted, decisions) = (true, false, Vec::new());
                let of_source = self.places.entry(capture.source.clone()).or_default();
                let place = *of_source.entry(capture.id.clone()).or_insert(self.captures.len());
                let added = LoggedCapture { capture, added_at, added_by, is_active, is_accepted, decisions };
                match self.captures.get_mut(place) {
                    Some(before) => *before = added,
                    None => self.captures.push(added),
                }
            }
            CaptureAction::Withdraw { source, id, reason } => {
                self.apply_decision(entry, &source, &id, ("withdraw", reason, None), |known| {
                    known.is_active = false
                });
            }
            CaptureAction::Restore { source, id, reason } => {
                self.apply_decision(entry, &source, &id, ("restore", reason, None), |known| {
                    known.is_active = true
                });
            }
            CaptureAction::Replace { source, id, with, reason } => {
                let decision = ("replace", reason, Some(with));
                self.apply_decision(entry, &source, &id, decision, |known| known.is_active = false);
            }
            CaptureAction::Accept { source, id, reason } => {
                self.apply_decision(entry, &source, &id, ("accept", reason, None), |known| {
                    known.is_accepted = true
                });
            }
            CaptureAction::Licences { licences } => self.licences = Some(licences),
        }
        Ok(())
    }

    fn apply_decision(
        &mut self,
        entry: &LogEntry,
        source: &str,
        id: &str,
        (action, reason, with): (&'static str, String, Option<String>),
        change: impl FnOnce(&mut LoggedCapture),
    ) {
        let place = self.places.get(source).and_then(|of_source| of_source.get(id));
        let Some(known) = place.and_then(|place| self.captures.get_mut(*place)) else { return };
        known.decisions.push(CaptureDecision { action, at: entry.at, by: entry.by.clone(), reason, with });
        change(known);
    }
}

/// A capture whose folder is not what the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCapture {
    /// The capture.
    pub capture: Capture,
    /// Problem of its folder.
    pub why: String,
}

impl Lake {
    /// Every capture that the lake has had; none where there is no log.
    ///
    /// # Errors
    /// [`LakeError::LogDamaged`], or it cannot be read.
    pub fn capture_log(&self) -> Result<Arc<CaptureLog>, LakeError> {
        let key = LogName::Captures.key();
        let Some(text) = self.store.read_file(&key)? else { return Ok(Arc::default()) };
        let mut read = self.captures_read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = read.as_ref().filter(|read| read.text == text) {
            return Ok(Arc::clone(&read.log));
        }
        let log = CaptureLog::from_log(&self.parse_log(LogName::Captures, &text)?);
        let log = Arc::new(log.map_err(|source| LakeError::Json { path: self.store.path(&key), source })?);
        *read = Some(ReadCaptureLog { text, log: Arc::clone(&log) });
        Ok(log)
    }

    /// The captures that count and whose folders are not what the log says, by name, kind and size: cheap enough
    /// for every run. Their content is compared when it is read.
    ///
    /// # Errors
    /// As for [`Self::capture_log`].
    pub fn missing_captures(&self) -> Result<Vec<MissingCapture>, LakeError> {
        let log = self.capture_log()?;
        let missing = |known: &LoggedCapture| {
            let why = self.why_missing(&known.capture)?;
            Some(MissingCapture { capture: known.capture.clone(), why })
        };
        Ok(log.active_captures().filter_map(missing).collect())
    }

    fn why_missing(&self, capture: &Capture) -> Option<String> {
        let (source, folder) = (join_keys("raw", &capture.source), capture.folder());
        let path = |key: &str| self.store.path(key);
        for folder in [&source, &folder] {
            match self.store.backend.entry_kind(folder) {
                Ok(EntryKind::Folder) => {}
                Ok(EntryKind::Link) => return Some(format!("`{}` is a link", path(folder).display())),
                Ok(_) => return Some(format!("`{}` is no folder", path(folder).display())),
                Err(error) => return Some(why_not_read(&path(folder), &error)),
            }
        }
        capture.files.iter().find_map(|file| {
            let key = join_keys(&folder, &file.name);
            match self.store.backend.entry_kind(&key) {
                Ok(EntryKind::File(bytes)) if bytes == file.bytes => None,
                Ok(EntryKind::File(bytes)) => {
                    Some(format!("`{}` has {bytes} bytes, not {}", path(&key).display(), file.bytes))
                }
                Ok(_) => Some(format!("`{}` is no regular file", path(&key).display())),
                Err(error) => Some(why_not_read(&path(&key), &error)),
            }
        })
    }

    /// Name and text of each file of decisions that a run followed, by their digest; none where no copy was kept.
    ///
    /// # Errors
    /// One cannot be read, or is no text.
    pub fn kept_decisions(&self, digest: &str) -> Result<Vec<(String, String)>, LakeError> {
        let folder = format!("decisions/used/{digest}");
        let mut found = Vec::new();
        for name in self.store.list_names(&folder, false)? {
            let key = join_keys(&folder, &name);
            let bytes = self.store.read_file(&key)?.unwrap_or_default();
            let text = String::from_utf8(bytes.to_vec()).map_err(|error| LakeError::Read {
                path: self.store.path(&key),
                source: std::io::Error::new(std::io::ErrorKind::InvalidData, error),
            })?;
            found.push((name, text));
        }
        Ok(found)
    }

    /// Folders of `raw/` that hold a whole capture of which the log does not know.
    ///
    /// # Errors
    /// A folder cannot be listed. One whose `capture.json` cannot be read is left to `verify`.
    pub fn unlisted_captures(&self) -> Result<Vec<Capture>, LakeError> {
        let log = self.capture_log()?;
        let mut found = Vec::new();
        for source in self.store.list_names("raw", true)? {
            for id in self.store.list_names(&join_keys("raw", &source), true)? {
                if log.find_capture(&source, &id).is_none()
                    && check_name("a source", &source).is_ok()
                    && let Ok(Some(capture)) = self.find_capture(&source, &id)
                {
                    found.push(capture);
                }
            }
        }
        Ok(found)
    }
}

/// Names a file that is missing, or that may not be read.
fn why_not_read(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("`{}` is not there", path.display()),
        _ => format!("`{}` cannot be read: {error}", path.display()),
    }
}

impl LakeWriter {
    /// Writes down captures that were taken in, and what the lake is where it begins with them.
    pub(crate) fn log_captures(&self, captures: &[Capture], found: bool) -> Result<(), LakeError> {
        let Some(first) = captures.first() else { return Ok(()) };
        let begin = CaptureAction::Begin {
            product: product_of(&first.source).to_owned(),
            synthetic: first.synthetic,
        };
        let begins = self.lake().capture_log()?.kind.is_none();
        let add = |capture: &Capture| CaptureAction::Add { capture: capture.clone(), found };
        let actions = begins.then_some(begin).into_iter().chain(captures.iter().map(add));
        self.log_actions(self.owner(), &actions.collect::<Vec<_>>())
    }

    fn log_actions(&self, by: &str, actions: &[CaptureAction]) -> Result<(), LakeError> {
        self.append_log(LogName::Captures, by, actions).map(|_| ())
    }

    /// Takes captures into the log that are in `raw/` already: those of a lake that is older than the log, and of a
    /// run that broke off between the two. Gives them. One of the time of another that
    /// counts is left alone, and `verify` names it: a replacement broke off, or someone put it there, and two captures
    /// of one time would count in the order of their digests.
    ///
    /// # Errors
    /// The log is damaged, or the lake cannot be read or written.
    pub fn list_found_captures(&self) -> Result<Vec<Capture>, LakeError> {
        let mut found = self.lake().unlisted_captures()?;
        let log = self.lake().capture_log()?;
        found.retain(|capture| !log.has_another_of_its_time(capture));
        self.log_captures(&found, true)?;
        Ok(found)
    }

    /// Makes a capture not count any more. Its files stay.
    ///
    /// # Errors
    /// [`LakeError::NoCapture`]; or the log is damaged or cannot be written.
    pub fn withdraw_capture(
        &self,
        source: &str,
        id: &str,
        by: &str,
        reason: &str,
    ) -> Result<bool, LakeError> {
        let (known, [source, id, reason]) = self.prepare_decision(source, id, reason)?;
        if known.is_active {
            self.log_actions(by, &[CaptureAction::Withdraw { source, id, reason }])?;
        }
        Ok(known.is_active)
    }

    /// Makes a capture count again that was withdrawn or replaced; says `false` if it counted already.
    ///
    /// # Errors
    /// [`LakeError::NoCapture`]; [`LakeError::SameTime`] if another one of its time counts now; or the log is damaged
    /// or cannot be written.
    pub fn restore_capture(&self, source: &str, id: &str, by: &str, reason: &str) -> Result<bool, LakeError> {
        let (known, [source, id, reason]) = self.prepare_decision(source, id, reason)?;
        if known.is_active {
            return Ok(false);
        }
        self.refuse_same_time(&self.lake().captures(&source)?, &known.capture)?;
        self.log_actions(by, &[CaptureAction::Restore { source, id, reason }])?;
        Ok(true)
    }

    /// Believes a capture although it looks incomplete; says `false` if it was believed already.
    ///
    /// # Errors
    /// As for [`Self::withdraw_capture`].
    pub fn accept_capture(&self, source: &str, id: &str, by: &str, reason: &str) -> Result<bool, LakeError> {
        let (known, [source, id, reason]) = self.prepare_decision(source, id, reason)?;
        if !known.is_accepted {
            self.log_actions(by, &[CaptureAction::Accept { source, id, reason }])?;
        }
        Ok(!known.is_accepted)
    }

    /// Writes down of which licences sources count; says `false` if they do already.
    ///
    /// # Errors
    /// The log is damaged or cannot be written.
    pub fn choose_licences(&self, licences: &BTreeSet<String>) -> Result<bool, LakeError> {
        let is_other = self.lake().capture_log()?.licences.as_ref() != Some(licences);
        if is_other {
            self.log_actions(self.owner(), &[CaptureAction::Licences { licences: licences.clone() }])?;
        }
        Ok(is_other)
    }

    /// Writes down that a capture stands in the place of another.
    pub(crate) fn log_replacement(
        &self,
        old: &Capture,
        new: &Capture,
        by: &str,
        reason: &str,
    ) -> Result<(), LakeError> {
        let replace = CaptureAction::Replace {
            source: old.source.clone(),
            id: old.id.clone(),
            with: new.id.clone(),
            reason: reason.to_owned(),
        };
        self.log_actions(by, &[CaptureAction::Add { capture: new.clone(), found: false }, replace])
    }

    fn prepare_decision(
        &self,
        source: &str,
        id: &str,
        reason: &str,
    ) -> Result<(LoggedCapture, [String; 3]), LakeError> {
        let known = self.lake().known_capture(source, id)?;
        Ok((known, [source, id, reason].map(str::to_owned)))
    }
}

impl Lake {
    /// A capture that the lake has had.
    ///
    /// # Errors
    /// [`LakeError::NoCapture`], or as for [`Self::capture_log`].
    pub fn known_capture(&self, source: &str, id: &str) -> Result<LoggedCapture, LakeError> {
        let log = self.capture_log()?;
        let missing = || LakeError::NoCapture { origin: source.to_owned(), id: id.to_owned() };
        log.find_capture(source, id).cloned().ok_or_else(missing)
    }
}

impl LakeWriter {
    /// Keeps the decisions of people that a run follows, as `decisions/used/<digest>/<name>`; nothing where they are
    /// there already.
    ///
    /// # Errors
    /// A name is no file name, or the lake cannot be written.
    pub fn keep_decisions(&self, digest: &str, files: Vec<(String, String)>) -> Result<(), LakeError> {
        let store = &self.lake().store;
        for (name, text) in files {
            check_name("a file of decisions", &name)?;
            let key = format!("decisions/used/{digest}/{name}");
            if store.read_file(&key)?.is_none_or(|there| there != text) {
                store.put_file("decisions", &key, text.as_bytes())?;
            }
        }
        Ok(())
    }
}
