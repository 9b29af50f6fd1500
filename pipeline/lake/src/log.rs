//! Append-only logs of what happened to a lake: which captures it has, what was published, which ids were given.
//!
//! ```text
//! log/captures.jsonl       log/publications.jsonl       log/identities.jsonl
//! {"number":1,"at":"…","by":"…","previous":"","body":{…},"sha256":"…"}
//! ```
//!
//! A line is an entry. Its digest is over the bytes before it, which hold the digest of the line before: no byte can
//! change and no line can go from the middle without being noticed. That lines are missing at the end is noticed by
//! the [`crate::LogHeads`] that snapshots, the pointer and the reports of runs keep.
//!
//! A log is replaced whole, by rename: it is small, and a torn last line could not be told from a damaged one.

use std::collections::BTreeSet;
use std::fmt;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::sha256;
use crate::manifest::instant;
use crate::{Lake, LakeError, LakeWriter};

/// The folder of the logs.
pub(crate) const FOLDER: &str = "log";

/// Separator between the head of an entry and its body. No text in the head can hold it: quotes are escaped.
const BODY: &str = ",\"body\":";
/// Separator between an entry and its digest.
const SEAL: &str = ",\"sha256\":\"";

/// Name of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogName {
    /// The captures that the lake has had, and what people decided about them.
    Captures,
    /// Targets of `current`, and snapshots that people hold or pin.
    Publications,
    /// The ids that were published, for ever.
    Identities,
}

impl LogName {
    /// Every log.
    pub const ALL: [Self; 3] = [Self::Captures, Self::Publications, Self::Identities];

    /// Its name, as in `log/<name>.jsonl`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Captures => "captures",
            Self::Publications => "publications",
            Self::Identities => "identities",
        }
    }

    pub(crate) fn key(self) -> String {
        format!("{FOLDER}/{}.jsonl", self.as_str())
    }
}

impl fmt::Display for LogName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Its place, from 1.
    pub number: u32,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// Which command or person wrote it.
    pub by: String,
    /// The body as JSON.
    pub body: String,
    /// SHA-256 over it and, through the digest before it, over all entries before; 64 hex digits.
    pub sha256: String,
}

impl LogEntry {
    /// Parses the body.
    ///
    /// # Errors
    /// It is something else, as in a log of a newer build.
    pub fn parse_body<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.body)
    }
}

/// Length of a log, with the digest of its last entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LogHead {
    /// Number of entries.
    pub entries: u32,
    /// Digest of the last one; empty where there is none.
    pub sha256: String,
}

/// A whole log, each entry checked against its digest and the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainedLog {
    /// The entries, the oldest first.
    pub entries: Vec<LogEntry>,
}

/// An entry as it is written, but for what it says and its digest.
#[derive(Serialize, Deserialize)]
struct LogLine {
    number: u32,
    #[serde(with = "instant")]
    at: DateTime<Utc>,
    by: String,
    previous: String,
}

/// The first entry of a log that took the place of one that was lost.
#[derive(Serialize, Deserialize)]
struct ReplacedEntry {
    /// Digests that snapshots, the pointer and reports name, of entries of the lost one.
    replaces: Vec<String>,
}

impl ChainedLog {
    /// The head of the log.
    #[must_use]
    pub fn head(&self) -> LogHead {
        match self.entries.last() {
            Some(last) => LogHead { entries: last.number, sha256: last.sha256.clone() },
            None => LogHead::default(),
        }
    }

    /// Whether it has the entry that `head` names, at that place: else entries are missing. A replacement log records
    /// the heads of the log it replaced.
    #[must_use]
    pub fn contains_head(&self, head: &LogHead) -> bool {
        let place = usize::try_from(head.entries).ok().and_then(|entries| entries.checked_sub(1));
        let is_there =
            |place: usize| self.entries.get(place).is_some_and(|entry| entry.sha256 == head.sha256);
        place.is_none_or(is_there) || self.replaced_heads().contains(&head.sha256)
    }

    /// The entries, without the first one of a log that took the place of a lost one.
    pub fn entries_after_replacement(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter().filter(|entry| entry.number > 1 || entry.parse_body::<ReplacedEntry>().is_err())
    }

    /// The first entry, where this log took the place of one that went as far as `head`.
    #[must_use]
    pub fn replacement_of(&self, head: &LogHead) -> Option<&LogEntry> {
        self.entries.first().filter(|_| self.replaced_heads().contains(&head.sha256))
    }

    fn replaced_heads(&self) -> Vec<String> {
        let first = self.entries.first().and_then(|entry| entry.parse_body::<ReplacedEntry>().ok());
        first.map(|first| first.replaces).unwrap_or_default()
    }

    /// The log as it was at a time: the entries written up to it.
    #[must_use]
    pub fn truncate_at(mut self, at: DateTime<Utc>) -> Self {
        let later = self.entries.iter().position(|entry| entry.at > at);
        self.entries.truncate(later.unwrap_or(self.entries.len()));
        self
    }

    /// Adds an entry, and gives its line.
    fn append_entry(
        &mut self,
        at: DateTime<Utc>,
        by: &str,
        body: String,
    ) -> Result<String, serde_json::Error> {
        let LogHead { entries, sha256: previous } = self.head();
        let line = LogLine { number: entries + 1, at, by: by.to_owned(), previous };
        let head = serde_json::to_string(&line)?;
        let open = format!("{}{BODY}{body}", head.strip_suffix('}').unwrap_or(&head));
        let digest = sha256(open.as_bytes());
        let sealed = format!("{open}{SEAL}{digest}\"}}\n");
        self.entries.push(LogEntry { number: line.number, at, by: line.by, body, sha256: digest });
        Ok(sealed)
    }

    /// Reads the text of a log; the error is the number of the first line that is damaged, and why.
    fn parse_lines(text: &str) -> Result<Self, (usize, String)> {
        let mut log = Self::default();
        let Some(lines) = text.strip_suffix('\n') else { return Err((1, "the last line has no end".into())) };
        for (at, line) in lines.split('\n').enumerate() {
            let (entry, previous) = parse_line(line).map_err(|why| (at + 1, why))?;
            let before = log.head();
            if (entry.number, &previous) != (before.entries + 1, &before.sha256) {
                return Err((at + 1, "it does not follow the line before it".to_owned()));
            }
            log.entries.push(entry);
        }
        Ok(log)
    }
}

/// An entry, and the digest of the one before that it names; else why the line is none.
fn parse_line(line: &str) -> Result<(LogEntry, String), String> {
    let (open, seal) = line.rsplit_once(SEAL).ok_or("it has no digest")?;
    let digest = seal.strip_suffix("\"}").ok_or("it does not end with its digest")?;
    let found = sha256(open.as_bytes());
    if digest != found {
        return Err(format!("its digest is {found}, and it names {digest}"));
    }
    let (head, body) = open.split_once(BODY).ok_or("it says nothing")?;
    let line: LogLine = serde_json::from_str(&format!("{head}}}")).map_err(|error| error.to_string())?;
    let LogLine { number, at, by, previous } = line;
    Ok((LogEntry { number, at, by, body: body.to_owned(), sha256: found }, previous))
}

impl Lake {
    /// A log, every line of it checked; one without entries where there is no file.
    ///
    /// # Errors
    /// [`LakeError::LogDamaged`], or it cannot be read.
    pub fn read_log(&self, name: LogName) -> Result<ChainedLog, LakeError> {
        let Some(bytes) = self.store.read_file(&name.key())? else { return Ok(ChainedLog::default()) };
        self.parse_log(name, &bytes)
    }

    pub(crate) fn parse_log(&self, name: LogName, bytes: &[u8]) -> Result<ChainedLog, LakeError> {
        let damaged = |(line, why)| LakeError::LogDamaged { path: self.store.path(&name.key()), line, why };
        let text = std::str::from_utf8(bytes).map_err(|_| damaged((1, "it is no UTF-8".to_owned())))?;
        ChainedLog::parse_lines(text).map_err(damaged)
    }

    /// The head of a log, of which the last line alone is checked.
    ///
    /// # Errors
    /// As for [`Self::read_log`].
    pub fn log_head(&self, name: LogName) -> Result<LogHead, LakeError> {
        let key = name.key();
        let Some(bytes) = self.store.read_file(&key)? else { return Ok(LogHead::default()) };
        let damaged = |why: &str| LakeError::LogDamaged {
            path: self.store.path(&key),
            line: bytes.iter().filter(|byte| **byte == b'\n').count(),
            why: why.to_owned(),
        };
        let text = bytes.strip_suffix(b"\n").ok_or_else(|| damaged("the last line has no end"))?;
        let last = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = std::str::from_utf8(last).map_err(|_| damaged("it is no UTF-8"))?;
        let (entry, _) = parse_line(line).map_err(|why| damaged(&why))?;
        Ok(LogHead { entries: entry.number, sha256: entry.sha256 })
    }

    /// Whether the file of a log is there, whole or not.
    #[must_use]
    pub fn has_log(&self, name: LogName) -> bool {
        self.store.is_there(&name.key())
    }
}

impl LakeWriter {
    /// Adds entries to a log, all or none, each written by `by` now; gives the whole log. Without entries it writes
    /// nothing.
    ///
    /// # Errors
    /// [`LakeError::LogDamaged`]: nothing is added to a log that is damaged; or it cannot be read or written.
    pub fn append_log<T: Serialize>(
        &self,
        name: LogName,
        by: &str,
        entries: &[T],
    ) -> Result<ChainedLog, LakeError> {
        let store = &self.lake().store;
        let (key, mut log) = (name.key(), self.lake().read_log(name)?);
        if entries.is_empty() {
            return Ok(log);
        }
        let before = store.read_file(&key)?.unwrap_or_default();
        let mut text = String::from_utf8_lossy(&before).into_owned();
        for entry in entries {
            let line =
                serde_json::to_string(entry).and_then(|body| log.append_entry(self.started_at(), by, body));
            text += &line.map_err(|source| LakeError::ToJson { path: store.path(&key), source })?;
        }
        store.put_file("log", &key, text.as_bytes())?;
        Ok(log)
    }

    /// Begins a log anew in the place of one that is damaged, cut or gone, with a first entry that says so. What can
    /// still be read of the old one stays beside it as `<name>.jsonl.damaged`; gives that name, or `None` where
    /// there was no file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin_log_anew(&self, name: LogName, by: &str) -> Result<Option<String>, LakeError> {
        self.begin_log_with::<()>(name, by, &[])
    }

    /// As [`Self::begin_log_anew`], with further entries: who breaks off leaves the old log or the whole new one.
    ///
    /// # Errors
    /// As for [`Self::begin_log_anew`].
    pub fn begin_log_with<T: Serialize>(
        &self,
        name: LogName,
        by: &str,
        entries: &[T],
    ) -> Result<Option<String>, LakeError> {
        let store = &self.lake().store;
        let key = name.key();
        let old = store.read_file(&key)?;
        let aside = old.is_some().then(|| format!("{key}.damaged"));
        if let (Some(aside), Some(bytes)) = (&aside, old) {
            store.put_file("log", aside, &bytes)?;
        }
        let heads = self.lake().all_anchors()?;
        let digests: BTreeSet<String> = heads
            .iter()
            .map(|anchor| anchor.heads.head_of(name).sha256.clone())
            .filter(|d| !d.is_empty())
            .collect();
        let first = serde_json::to_string(&ReplacedEntry { replaces: digests.into_iter().collect() });
        let (mut log, mut text) = (ChainedLog::default(), String::new());
        for body in std::iter::once(first).chain(entries.iter().map(serde_json::to_string)) {
            let line = body.and_then(|body| log.append_entry(self.started_at(), by, body));
            text += &line.map_err(|source| LakeError::ToJson { path: store.path(&key), source })?;
        }
        store.put_file("log", &key, text.as_bytes())?;
        Ok(aside)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{day, lake, noon};

    fn three(lake: &Lake) -> ChainedLog {
        for (on, text) in [(15, "a"), (16, "b\n\",\"sha256\":\"}"), (17, "c")] {
            let writer = lake.writer("x", day(on)).unwrap();
            writer.append_log(LogName::Captures, "me,\"body\":", &[json!({ "text": text })]).unwrap();
        }
        lake.read_log(LogName::Captures).unwrap()
    }

    #[test]
    fn entries_come_back_in_order_with_time_author_and_text() {
        let (_folder, lake) = lake();
        let log = three(&lake);
        assert_eq!(log.entries.len(), 3);
        let LogEntry { number, at, by, .. } = &log.entries[1];
        assert_eq!((*number, *at, by.as_str()), (2, day(16), "me,\"body\":"));
        let body: serde_json::Value = log.entries[1].parse_body().unwrap();
        assert_eq!(body["text"], "b\n\",\"sha256\":\"}");
        assert_eq!(log.clone().truncate_at(day(16)).entries.len(), 2);
        assert_eq!(log.clone().truncate_at(noon() - chrono::Duration::days(1)).head(), LogHead::default());
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let (_folder, lake) = lake();
        three(&lake);
        let path = lake.root().join("log/captures.jsonl");
        let sound = std::fs::read(&path).unwrap();
        for bit in 0..sound.len() * 8 {
            let mut damaged = sound.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &damaged).unwrap();
            let read = lake.read_log(LogName::Captures);
            assert!(matches!(read, Err(LakeError::LogDamaged { .. })), "bit {bit}: {read:?}");
        }
    }

    #[test]
    fn a_line_that_goes_is_noticed_and_one_at_the_end_by_the_head_that_was_kept() {
        let (_folder, lake) = lake();
        let whole = three(&lake);
        let path = lake.root().join("log/captures.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        std::fs::write(&path, format!("{}\n{}\n", lines[0], lines[2])).unwrap();
        assert!(matches!(lake.read_log(LogName::Captures), Err(LakeError::LogDamaged { line: 2, .. })));
        std::fs::write(&path, format!("{}\n{}\n", lines[0], lines[1])).unwrap();
        let cut = lake.read_log(LogName::Captures).unwrap();
        assert!(whole.contains_head(&cut.head()) && whole.contains_head(&LogHead::default()));
        assert!(!cut.contains_head(&whole.head()));
    }

    #[test]
    fn nothing_is_added_to_a_damaged_log_and_another_can_begin_in_its_place() {
        let (_folder, lake) = lake();
        three(&lake);
        let path = lake.root().join("log/captures.jsonl");
        std::fs::write(&path, "no line\n").unwrap();
        let writer = lake.writer("x", noon()).unwrap();
        let added = writer.append_log(LogName::Captures, "me", &[json!(1)]);
        assert!(matches!(added, Err(LakeError::LogDamaged { line: 1, .. })));
        let aside = writer.begin_log_anew(LogName::Captures, "me").unwrap();
        assert_eq!(aside.as_deref(), Some("log/captures.jsonl.damaged"));
        assert_eq!(std::fs::read(lake.root().join("log/captures.jsonl.damaged")).unwrap(), b"no line\n");
        writer.append_log(LogName::Captures, "me", &[json!(1)]).unwrap();
        assert_eq!(lake.read_log(LogName::Captures).unwrap().entries.len(), 2);
    }
}
