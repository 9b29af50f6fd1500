//! Log of the snapshots that `current` pointed to, with time and author, and of holds and pins: `log/publications.jsonl`.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::log::LogName;
use crate::manifest::instant;
use crate::{Lake, LakeError, LakeWriter, LogEntry, LogHead, SnapshotId};

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub(crate) enum PublicationAction {
    /// A run published it.
    Publish { snapshot: SnapshotId },
    /// A person went back to it.
    Rollback { snapshot: SnapshotId, reason: String },
    /// It was current before there was this log, or was served and is not in it.
    Found { snapshot: SnapshotId },
    /// Runs leave `current` where it is.
    Hold { reason: String },
    /// Runs move `current` again.
    Release { reason: String },
    /// It is kept whatever its age.
    Pin { snapshot: SnapshotId, reason: String },
    /// It is no longer.
    Unpin { snapshot: SnapshotId, reason: String },
    /// Runs follow these decisions of people, by the digest in `decisions/used`; or none.
    Follow { decisions: Option<String> },
    /// Parts of the ledger with these digests are lost, and it goes on without.
    LoseLedger { heads: Vec<String>, reason: String },
}

/// Reason for which `current` points to a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicationKind {
    /// A run published it.
    Publish,
    /// A person went back to it.
    Rollback,
    /// It was current, and how is not known.
    Found,
}

/// A time at which `current` was pointed to a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Publication {
    /// The snapshot.
    pub snapshot: SnapshotId,
    /// When, in UTC.
    #[serde(with = "instant")]
    pub at: DateTime<Utc>,
    /// By which command or person.
    pub by: String,
    /// Kind of the publication.
    pub kind: PublicationKind,
    /// Why, where a person said so.
    pub reason: Option<String>,
    /// Digest of its entry in the log, and through it of all entries before; 64 hex digits.
    #[serde(skip)]
    pub entry: String,
}

/// A person's word about a snapshot or the pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonsWord {
    /// When, in UTC.
    #[serde(with = "instant")]
    pub at: DateTime<Utc>,
    /// By whom.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// The history of `current`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicationLog {
    /// Every publication, the oldest first.
    pub history: Vec<Publication>,
    /// Set while runs must leave `current` where it is.
    pub hold: Option<PersonsWord>,
    /// Snapshots that are kept whatever their age.
    pub pins: BTreeMap<SnapshotId, PersonsWord>,
    /// Digest of the decisions of people that the last run followed, as in `decisions/used`.
    pub decisions: Option<String>,
    /// Digests of parts of the ledger that are lost, and of which a person knows.
    pub lost_ledger: BTreeSet<String>,
    /// Head of the log.
    pub head: LogHead,
}

impl PublicationLog {
    /// The snapshot that was published last, or that a person went back to since.
    #[must_use]
    pub fn newest_snapshot(&self) -> Option<&SnapshotId> {
        self.history.last().map(|publication| &publication.snapshot)
    }

    /// The snapshot that was served before `current` was published. Who goes back twice goes back further, never to
    /// where they came from; what was never published is never gone back to.
    #[must_use]
    pub fn previous_snapshot(&self, current: &SnapshotId) -> Option<&SnapshotId> {
        let trail = self.published_order();
        let at = trail.iter().rposition(|snapshot| *snapshot == current)?;
        trail[..at].iter().rev().find(|snapshot| **snapshot != current).copied()
    }

    /// The snapshots in the order in which they were published, without those that were gone back from.
    fn published_order(&self) -> Vec<&SnapshotId> {
        let mut trail: Vec<&SnapshotId> = Vec::new();
        for publication in &self.history {
            let there = trail.iter().rposition(|snapshot| **snapshot == publication.snapshot);
            match (publication.kind, there) {
                (PublicationKind::Rollback, Some(at)) => trail.truncate(at + 1),
                _ => trail.push(&publication.snapshot),
            }
        }
        trail
    }

    /// When `current` was first pointed to this snapshot; `None` if it never was.
    #[must_use]
    pub fn published_at(&self, snapshot: &SnapshotId) -> Option<DateTime<Utc>> {
        self.history.iter().find(|publication| publication.snapshot == *snapshot).map(|found| found.at)
    }

    /// Snapshots that `current` pointed to at or after a time, whenever it was pointed there.
    #[must_use]
    pub fn served_since(&self, since: DateTime<Utc>) -> Vec<&SnapshotId> {
        let later = self.history.iter().position(|publication| publication.at >= since);
        // The one that was current at that time was published before it.
        let first = later.unwrap_or(self.history.len()).saturating_sub(1);
        self.history[first.min(self.history.len())..]
            .iter()
            .map(|publication| &publication.snapshot)
            .collect()
    }

    fn apply_entry(&mut self, entry: &LogEntry) -> Result<(), serde_json::Error> {
        let (at, by) = (entry.at, entry.by.clone());
        let word = |reason| PersonsWord { at, by: by.clone(), reason };
        let point = |snapshot, kind, reason| Publication {
            snapshot,
            at,
            by: by.clone(),
            kind,
            reason,
            entry: entry.sha256.clone(),
        };
        match entry.parse_body()? {
            PublicationAction::Publish { snapshot } => {
                self.history.push(point(snapshot, PublicationKind::Publish, None));
            }
            PublicationAction::Rollback { snapshot, reason } => {
                self.history.push(point(snapshot, PublicationKind::Rollback, Some(reason)));
            }
            PublicationAction::Found { snapshot } => {
                self.history.push(point(snapshot, PublicationKind::Found, None))
            }
            PublicationAction::Hold { reason } => self.hold = Some(word(reason)),
            PublicationAction::Release { .. } => self.hold = None,
            PublicationAction::Pin { snapshot, reason } => drop(self.pins.insert(snapshot, word(reason))),
            PublicationAction::Unpin { snapshot, .. } => drop(self.pins.remove(&snapshot)),
            PublicationAction::Follow { decisions } => self.decisions = decisions,
            PublicationAction::LoseLedger { heads, .. } => self.lost_ledger.extend(heads),
        }
        Ok(())
    }
}

impl Lake {
    /// The history of `current`; empty where there is no log.
    ///
    /// # Errors
    /// [`LakeError::LogDamaged`], or it cannot be read.
    pub fn publications(&self) -> Result<PublicationLog, LakeError> {
        let log = self.read_log(LogName::Publications)?;
        let mut all = PublicationLog { head: log.head(), ..PublicationLog::default() };
        for entry in log.entries_after_replacement() {
            let path = || self.store.path(&LogName::Publications.key());
            all.apply_entry(entry).map_err(|source| LakeError::Json { path: path(), source })?;
        }
        Ok(all)
    }
}

impl LakeWriter {
    pub(crate) fn log_publication(&self, by: &str, action: &PublicationAction) -> Result<LogHead, LakeError> {
        Ok(self.append_log(LogName::Publications, by, &[action])?.head())
    }

    /// Keeps runs from moving `current`, until [`Self::release_publication`].
    ///
    /// # Errors
    /// The log is damaged or cannot be written.
    pub fn hold_publication(&self, by: &str, reason: &str) -> Result<(), LakeError> {
        self.log_publication(by, &PublicationAction::Hold { reason: reason.to_owned() }).map(|_| ())
    }

    /// Lets runs move `current` again; says `false` if they could already.
    ///
    /// # Errors
    /// As for [`Self::hold_publication`].
    pub fn release_publication(&self, by: &str, reason: &str) -> Result<bool, LakeError> {
        let is_held = self.lake().publications()?.hold.is_some();
        if is_held {
            self.log_publication(by, &PublicationAction::Release { reason: reason.to_owned() })?;
        }
        Ok(is_held)
    }

    /// Keeps a snapshot whatever its age; says `false` if it was pinned already.
    ///
    /// # Errors
    /// [`LakeError::NoSnapshot`], or as for [`Self::hold_publication`].
    pub fn pin_snapshot(&self, id: &SnapshotId, by: &str, reason: &str) -> Result<bool, LakeError> {
        self.lake().snapshot(id)?;
        let is_new = !self.lake().publications()?.pins.contains_key(id);
        if is_new {
            let action = PublicationAction::Pin { snapshot: id.clone(), reason: reason.to_owned() };
            self.log_publication(by, &action)?;
        }
        Ok(is_new)
    }

    /// Takes a pin away; says `false` if there was none.
    ///
    /// # Errors
    /// As for [`Self::hold_publication`].
    pub fn unpin_snapshot(&self, id: &SnapshotId, by: &str, reason: &str) -> Result<bool, LakeError> {
        let is_pinned = self.lake().publications()?.pins.contains_key(id);
        if is_pinned {
            let action = PublicationAction::Unpin { snapshot: id.clone(), reason: reason.to_owned() };
            self.log_publication(by, &action)?;
        }
        Ok(is_pinned)
    }

    /// Writes down which decisions of people a run follows, where they are not those of the run before.
    ///
    /// # Errors
    /// As for [`Self::hold_publication`].
    pub fn follow_decisions(&self, decisions: Option<&str>) -> Result<(), LakeError> {
        if self.lake().publications()?.decisions.as_deref() != decisions {
            let decisions = decisions.map(str::to_owned);
            self.log_publication(self.owner(), &PublicationAction::Follow { decisions })?;
        }
        Ok(())
    }

    /// Lets the ledger go on without parts that are lost; says `false` if none is.
    ///
    /// # Errors
    /// The lake cannot be read, or as for [`Self::hold_publication`].
    pub fn lose_ledger(&self, by: &str, reason: &str) -> Result<bool, LakeError> {
        let heads = self.lake().missing_ledger_heads()?;
        if !heads.is_empty() {
            self.log_publication(
                by,
                &PublicationAction::LoseLedger { heads: heads.clone(), reason: reason.to_owned() },
            )?;
            self.remake_ledger_head()?;
        }
        Ok(!heads.is_empty())
    }

    /// Writes down that `current` points somewhere without the log knowing how: in a lake that is older than the
    /// log, or after the pointer moved and the log did not.
    ///
    /// # Errors
    /// The pointer cannot be read, or as for [`Self::hold_publication`].
    pub fn note_current(&self) -> Result<bool, LakeError> {
        let Some(current) = self.lake().current_snapshot()? else { return Ok(false) };
        if self.lake().publications()?.newest_snapshot() == Some(&current) {
            return Ok(false);
        }
        self.log_publication(self.owner(), &PublicationAction::Found { snapshot: current })?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{day, lake};

    fn id(letter: char) -> SnapshotId {
        letter.to_string().repeat(32).parse().unwrap()
    }

    fn history(steps: &[(char, PublicationKind)]) -> PublicationLog {
        let point = |(on, (letter, kind)): (u32, &(char, PublicationKind))| Publication {
            snapshot: id(*letter),
            at: day(on),
            by: "x".to_owned(),
            kind: *kind,
            reason: None,
            entry: String::new(),
        };
        PublicationLog { history: (1..).zip(steps).map(point).collect(), ..PublicationLog::default() }
    }

    #[test]
    fn who_goes_back_twice_goes_back_further() {
        use PublicationKind::{Publish, Rollback};
        let published = [('a', Publish), ('b', Publish), ('c', Publish)];
        let log = history(&published);
        assert_eq!(log.previous_snapshot(&id('c')), Some(&id('b')));
        let log = history(&[&published[..], &[('b', Rollback)]].concat());
        assert_eq!(log.previous_snapshot(&id('b')), Some(&id('a')));
        let log = history(&[&published[..], &[('b', Rollback), ('a', Rollback)]].concat());
        assert_eq!(log.previous_snapshot(&id('a')), None);
        // What was gone back from is published again: the one before it is the one that was served.
        let log = history(&[&published[..], &[('a', Rollback), ('c', Publish)]].concat());
        assert_eq!(log.previous_snapshot(&id('c')), Some(&id('a')));
        assert_eq!(log.previous_snapshot(&id('d')), None);
    }

    #[test]
    fn what_was_current_at_the_time_was_served_since() {
        use PublicationKind::Publish;
        let log = history(&[('a', Publish), ('b', Publish), ('c', Publish)]);
        assert_eq!(log.served_since(day(3)), [&id('b'), &id('c')]);
        assert_eq!(log.served_since(day(20)), [&id('c')]);
        assert_eq!(log.served_since(day(1)), [&id('a'), &id('b'), &id('c')]);
        assert!(PublicationLog::default().served_since(day(1)).is_empty());
    }

    #[test]
    fn a_hold_lasts_until_it_is_released() {
        let (_folder, lake) = lake();
        let writer = lake.writer("x", day(1)).unwrap();
        assert!(!writer.release_publication("me", "r").unwrap());
        writer.hold_publication("me", "wrong champions").unwrap();
        let hold = lake.publications().unwrap().hold.unwrap();
        assert_eq!((hold.by.as_str(), hold.reason.as_str(), hold.at), ("me", "wrong champions", day(1)));
        assert!(writer.release_publication("me", "mended").unwrap());
        assert_eq!(lake.publications().unwrap().hold, None);
    }
}
