//! Captures: files of a source as they came, kept for ever.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::commits::in_parallel;
use crate::digest::{DigestParts, sha256};
use crate::keys::join_keys;
use crate::manifest::{self, FileEntry, check_name, instant};
use crate::store::FolderDraft;
use crate::{CaptureLog, Lake, LakeError, LakeWriter, LogName, MANIFEST_FORMAT};

/// Manifest of a capture; it has a name of its own, since people look into these folders.
pub(crate) const CAPTURE: &str = "capture.json";

/// Files of a source as they came, on one occasion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Format number of the manifest.
    pub format: u32,
    /// `20241215T000000Z-` and the first 8 hex digits of the content's digest.
    pub id: String,
    /// Name of the source.
    pub source: String,
    /// When the files were taken from the source.
    #[serde(with = "instant")]
    pub captured_at: DateTime<Utc>,
    /// Made up for a demonstration or test, not received from anyone.
    pub synthetic: bool,
    /// The files, by name.
    pub files: Vec<FileEntry>,
}

impl Capture {
    /// SHA-256 over names and contents, 64 hex digits; the time of the capture is not in it.
    #[must_use]
    pub fn content_digest(&self) -> String {
        let parts = DigestParts::default().add_part("capture");
        self.files.iter().fold(parts, |parts, f| parts.add_part(&f.name).add_part(&f.sha256)).finish()
    }

    pub(crate) fn folder(&self) -> String {
        format!("raw/{}/{}", self.source, self.id)
    }

    /// Each file with the digest that it must have.
    pub(crate) fn expected_files(&self) -> Vec<(String, &str)> {
        let folder = self.folder();
        self.files.iter().map(|f| (format!("{folder}/{}", f.name), f.sha256.as_str())).collect()
    }

    fn id_of(&self) -> String {
        format!("{}-{}", self.captured_at.format("%Y%m%dT%H%M%SZ"), &self.content_digest()[..8])
    }
}

/// Files to keep.
#[derive(Clone, Debug)]
pub struct NewCapture {
    /// Name of the source.
    pub source: String,
    /// When the files were taken from the source.
    pub captured_at: DateTime<Utc>,
    /// Made up for a demonstration or test.
    pub synthetic: bool,
    /// Name and content of each, in any order.
    pub files: Vec<(String, Bytes)>,
}

impl NewCapture {
    /// The future [`Capture::content_digest`], to find out whether the lake has these files already.
    ///
    /// # Errors
    /// A name cannot be a file name of the lake, or there are no files.
    pub fn content_digest(&self) -> Result<String, LakeError> {
        Ok(self.to_capture()?.content_digest())
    }

    fn to_capture(&self) -> Result<Capture, LakeError> {
        let mut files: Vec<FileEntry> =
            self.files.iter().map(|(name, bytes)| file_entry(name, bytes)).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        self.check_files(&files)?;
        let mut capture = Capture {
            format: MANIFEST_FORMAT,
            id: String::new(),
            source: self.source.clone(),
            captured_at: self.captured_at,
            synthetic: self.synthetic,
            files,
        };
        capture.id = capture.id_of();
        Ok(capture)
    }

    fn check_files(&self, files: &[FileEntry]) -> Result<(), LakeError> {
        check_name("a source", &self.source)?;
        if files.is_empty() {
            return Err(LakeError::EmptyCapture { origin: self.source.clone() });
        }
        for file in files {
            check_name("a file of a capture", &file.name)?;
        }
        let refuse = |name: &str, why| {
            Err(LakeError::Name { what: "a file of a capture", name: name.to_owned(), why })
        };
        if let Some(file) = files.iter().find(|f| f.name.eq_ignore_ascii_case(CAPTURE)) {
            return refuse(&file.name, "the manifest has that name");
        }
        match files.windows(2).find(|pair| pair[0].name == pair[1].name) {
            Some(pair) => refuse(&pair[0].name, "two files have that name"),
            None => Ok(()),
        }
    }
}

fn file_entry(name: &str, bytes: &Bytes) -> FileEntry {
    FileEntry { name: name.to_owned(), bytes: bytes.len() as u64, sha256: sha256(bytes) }
}

/// Place of the capture that the lake has of these files already, as [`Lake::find_same`] says.
fn position_of_same_files(new: &Capture, known: &[Capture]) -> Option<usize> {
    let digest = new.content_digest();
    let is_same = |k: &Capture| k.content_digest() == digest;
    let of_id = known.iter().position(|k| k.id == new.id && is_same(k));
    let latest = known.iter().rposition(|k| k.captured_at <= new.captured_at);
    of_id.or(latest.filter(|&at| is_same(&known[at])))
}

/// A person's word stands until another one.
fn refuse_withdrawn(log: &CaptureLog, new: &Capture) -> Result<(), LakeError> {
    match log.find_capture(&new.source, &new.id).filter(|known| !known.is_active) {
        Some(_) => Err(LakeError::WasWithdrawn { origin: new.source.clone(), id: new.id.clone() }),
        None => Ok(()),
    }
}

/// Refuses a capture of another kind than the lake was created for, even if none of its captures counts any more.
fn refuse_other_kind(log: &CaptureLog, new: &Capture) -> Result<(), LakeError> {
    match log.kind.as_ref().filter(|kind| kind.synthetic != new.synthetic) {
        Some(_) => Err(LakeError::OtherKind { origin: new.source.clone(), synthetic: new.synthetic }),
        None => Ok(()),
    }
}

/// Whether what was to be added was new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedCapture<T> {
    /// It was, and is there now.
    New(T),
    /// The same content was there before, as this.
    AlreadyThere(T),
}

impl<T> AddedCapture<T> {
    /// The value in either case.
    #[must_use]
    pub fn into_inner(self) -> T {
        match self {
            Self::New(it) | Self::AlreadyThere(it) => it,
        }
    }

    /// Whether it was not there before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        matches!(self, Self::New(_))
    }
}

impl Lake {
    /// The captures of a source that count, by time and id; a source that was never captured has none.
    ///
    /// # Errors
    /// The log of captures is damaged; or, in a lake that is older than the log, a capture's manifest cannot be read,
    /// is of a newer format, or does not fit its folder.
    pub fn captures(&self, source: &str) -> Result<Vec<Capture>, LakeError> {
        check_name("a source", source)?;
        if self.has_log(LogName::Captures) {
            let log = self.capture_log()?;
            let of_source = log.active_captures().filter(|known| known.capture.source == source);
            return Ok(of_source.map(|known| known.capture.clone()).collect());
        }
        let ids = self.store.list_names(&format!("raw/{source}"), true)?;
        let captures = ids.iter().filter_map(|id| self.find_capture(source, id).transpose());
        let mut captures = captures.collect::<Result<Vec<_>, _>>()?;
        captures.sort_by(|a, b| (a.captured_at, &a.id).cmp(&(b.captured_at, &b.id)));
        Ok(captures)
    }

    /// The captures of every source that count, by source, time and id. One look at the log, however many sources there
    /// are.
    ///
    /// # Errors
    /// As for [`Self::captures`].
    pub fn all_captures(&self) -> Result<Vec<Capture>, LakeError> {
        if self.has_log(LogName::Captures) {
            let log = self.capture_log()?;
            return Ok(log.active_captures().map(|known| known.capture.clone()).collect());
        }
        let mut sources = self.store.list_names("raw", true)?;
        sources.retain(|source| check_name("a source", source).is_ok());
        let of_each = sources.iter().map(|source| self.captures(source)).collect::<Result<Vec<_>, _>>()?;
        Ok(of_each.into_iter().flatten().collect())
    }

    pub(crate) fn find_capture(&self, source: &str, id: &str) -> Result<Option<Capture>, LakeError> {
        let key = format!("raw/{source}/{id}/{CAPTURE}");
        let Some(capture) = manifest::read_manifest::<Capture>(&self.store, &key)? else { return Ok(None) };
        // The id holds part of the content's digest, so that a manifest cannot change unnoticed either.
        if capture.id_of() == id && capture.id == id && capture.source == source {
            return Ok(Some(capture));
        }
        let found = format!("{} of {}", capture.id_of(), capture.source);
        Err(LakeError::Corrupt { path: self.store.path(&key), expected: format!("{id} of {source}"), found })
    }

    /// The lake's capture of these files: the one of the same id, or the latest one up to their time,
    /// if its content is the same. An earlier one does not count, since a source may go back to what it said.
    ///
    /// # Errors
    /// As for [`Self::captures`], or the files cannot be kept.
    pub fn find_same(&self, new: &NewCapture) -> Result<Option<Capture>, LakeError> {
        let (new, mut known) = (new.to_capture()?, self.captures(&new.source)?);
        Ok(position_of_same_files(&new, &known).map(|at| known.swap_remove(at)))
    }

    /// As [`Self::find_same`], of captures that were looked up before.
    ///
    /// # Errors
    /// The files cannot be kept.
    pub fn find_same_among<'a>(
        new: &NewCapture,
        known: &'a [Capture],
    ) -> Result<Option<&'a Capture>, LakeError> {
        Ok(position_of_same_files(&new.to_capture()?, known).map(|at| &known[at]))
    }

    /// A file of a capture, whole and checked.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn capture_file(&self, capture: &Capture, name: &str) -> Result<Bytes, LakeError> {
        let entry = capture.files.iter().find(|f| f.name == name).ok_or_else(|| LakeError::NoEntry {
            name: name.to_owned(),
            folder: self.store.path(&capture.folder()),
        })?;
        self.read_checked(&format!("{}/{name}", capture.folder()), &entry.sha256)
    }
}

impl LakeWriter {
    /// Keeps files of a source, unless they are there already, as [`Lake::find_same`] says. If those were damaged
    /// meanwhile, the new files take their place, under the old id and time.
    ///
    /// # Errors
    /// A name is no file name, there is no file, or the lake cannot be read or written.
    pub fn add_capture(&self, new: NewCapture) -> Result<AddedCapture<Capture>, LakeError> {
        let mut known = self.lake().captures(&new.source)?;
        let added = self.add_captures(&mut known, vec![new])?;
        added.into_iter().next().ok_or_else(|| LakeError::EmptyCapture { origin: "nothing".to_owned() })
    }

    /// As [`Self::add_capture`] for several captures of one source in this order, of which the lake has the
    /// `known` ones; the new ones are added to these. Hundreds of captures so cost one look at the lake, and
    /// wait for the disk together.
    ///
    /// # Errors
    /// As for [`Self::add_capture`].
    pub fn add_captures(
        &self,
        known: &mut Vec<Capture>,
        new: Vec<NewCapture>,
    ) -> Result<Vec<AddedCapture<Capture>>, LakeError> {
        let described: Vec<_> = new.par_iter().map(NewCapture::to_capture).collect();
        let log = self.lake().capture_log()?;
        let mut work = Vec::new();
        for (capture, new) in described.into_iter().zip(new) {
            let capture = capture?;
            refuse_withdrawn(&log, &capture)?;
            refuse_other_kind(&log, &capture)?;
            let added = match position_of_same_files(&capture, known) {
                Some(at) => AddedCapture::AlreadyThere(known[at].clone()),
                None => AddedCapture::New(self.insert_capture(known, capture)?),
            };
            work.push((added, new.files));
        }
        let added = work.iter().map(|(added, _)| added.clone()).collect();
        let (new, there): (Vec<_>, Vec<_>) = work.into_iter().partition(|(added, _)| added.is_new());
        let kept = in_parallel(new, |(capture, files)| {
            let capture = capture.into_inner();
            self.put_capture(&capture, files).map(|()| capture)
        })?;
        self.log_captures(&kept, false)?;
        // After them: a capture may be there already as one of these.
        in_parallel(there, |(capture, files)| {
            let there = capture.into_inner();
            self.restore_damaged_files(&there, &files)?;
            // A run that broke off may have left it whole, but not durable.
            self.lake().store.sync_above(&join_keys(&there.folder(), CAPTURE))
        })?;
        Ok(added)
    }

    /// Puts a new capture among the known ones, in the order of [`Lake::captures`].
    fn insert_capture(&self, known: &mut Vec<Capture>, capture: Capture) -> Result<Capture, LakeError> {
        if known.iter().any(|k| k.id == capture.id) {
            return Err(LakeError::Taken { path: self.lake().store.path(&capture.folder()) });
        }
        self.refuse_same_time(known, &capture)?;
        let order = |c: &Capture| (c.captured_at, c.id.clone());
        let at = known.partition_point(|k| order(k) < order(&capture));
        known.insert(at, capture.clone());
        Ok(capture)
    }

    /// Two captures of one time would count in the order of their digests, which is chance.
    pub(crate) fn refuse_same_time(&self, known: &[Capture], capture: &Capture) -> Result<(), LakeError> {
        match known.iter().find(|k| k.captured_at == capture.captured_at) {
            Some(there) => Err(LakeError::SameTime {
                origin: capture.source.clone(),
                at: capture.captured_at,
                there: there.id.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Keeps a capture in the place of another of its source, which does not count any more.
    ///
    /// # Errors
    /// [`LakeError::NoCapture`]; [`LakeError::SameTime`] or [`LakeError::Taken`] if a third capture is in the way; or
    /// as for [`Self::add_capture`].
    pub fn replace_capture(
        &self,
        id: &str,
        new: NewCapture,
        by: &str,
        reason: &str,
    ) -> Result<Capture, LakeError> {
        let known = self.lake().known_capture(&new.source, id)?;
        let old = known.capture;
        let mut others = self.lake().captures(&new.source)?;
        others.retain(|known| known.id != id);
        let capture = new.to_capture()?;
        let is_done = known.decisions.last().is_some_and(|last| last.with.as_deref() == Some(&*capture.id));
        if is_done && !known.is_active {
            return Ok(capture);
        }
        if capture.id == old.id {
            return Err(LakeError::Taken { path: self.lake().store.path(&old.folder()) });
        }
        let log = self.lake().capture_log()?;
        refuse_withdrawn(&log, &capture)?;
        let capture = self.insert_capture(&mut others, capture)?;
        self.put_capture(&capture, new.files)?;
        self.log_replacement(&old, &capture, by, reason)?;
        Ok(capture)
    }

    /// Puts back what is damaged, file by file: the capture never vanishes meanwhile, and the rest of it may be
    /// all that there is.
    fn restore_damaged_files(&self, known: &Capture, files: &[(String, Bytes)]) -> Result<(), LakeError> {
        self.mend_manifest(known)?;
        for (name, bytes) in files {
            let key = format!("{}/{name}", known.folder());
            if !self.lake().is_sound(&[(key.clone(), &sha256(bytes))])? {
                self.lake().store.put_file("capture", &key, bytes)?;
            }
        }
        Ok(())
    }

    /// Writes `capture.json` anew where it is not what the log says; says whether it did.
    pub(crate) fn mend_manifest(&self, known: &Capture) -> Result<bool, LakeError> {
        let is_whole = match self.lake().find_capture(&known.source, &known.id) {
            Ok(found) => found.as_ref() == Some(known),
            Err(error) if error.is_damage() => false,
            Err(error) => return Err(error),
        };
        if !is_whole {
            let (store, key) = (&self.lake().store, join_keys(&known.folder(), CAPTURE));
            store.put_file("capture", &key, &manifest::to_bytes(store, &key, known)?)?;
        }
        Ok(!is_whole)
    }

    fn put_capture(&self, capture: &Capture, files: Vec<(String, Bytes)>) -> Result<(), LakeError> {
        let (store, target) = (&self.lake().store, capture.folder());
        let manifest = manifest::to_bytes(store, &target, capture)?;
        let files = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
        store.put_folder(&FolderDraft { kind: "capture", target, files, manifest: (CAPTURE, manifest) })
    }
}

#[cfg(test)]
mod tests;
