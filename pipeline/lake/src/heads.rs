//! Length of each log and of the ledger, kept where each of them cannot reach: in snapshots, the pointer and reports
//! of runs. So one that is gone, or cut at its end, is noticed.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};

use crate::{Lake, LakeError, LedgerHead, LogHead, LogName};

/// Lengths of the logs and the ledger when a snapshot, the pointer or a report was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHeads {
    /// Of the captures.
    #[serde(default)]
    pub captures: LogHead,
    /// Of the publications.
    #[serde(default)]
    pub publications: LogHead,
    /// Of the ids that were published.
    #[serde(default)]
    pub identities: LogHead,
    /// Of the fight-week ledger: how many parts, and the SHA-256 of the last one's manifest.
    #[serde(default)]
    pub ledger: LogHead,
}

impl LogHeads {
    /// The head of a log.
    #[must_use]
    pub fn head_of(&self, name: LogName) -> &LogHead {
        match name {
            LogName::Captures => &self.captures,
            LogName::Publications => &self.publications,
            LogName::Identities => &self.identities,
        }
    }
}

impl From<&LedgerHead> for LogHead {
    fn from(head: &LedgerHead) -> Self {
        Self { entries: head.parts, sha256: head.manifest.clone() }
    }
}

/// File that names the lengths of the logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeadAnchor {
    /// Its file, from the root.
    pub(crate) key: String,
    pub(crate) heads: LogHeads,
}

impl Lake {
    /// Present lengths of the logs and the ledger.
    ///
    /// # Errors
    /// One of them is damaged, or cannot be read.
    pub fn log_heads(&self) -> Result<LogHeads, LakeError> {
        Ok(LogHeads {
            captures: self.log_head(LogName::Captures)?,
            publications: self.log_head(LogName::Publications)?,
            identities: self.log_head(LogName::Identities)?,
            ledger: self.ledger_head()?.as_ref().map(LogHead::from).unwrap_or_default(),
        })
    }

    /// Checks that a log is as long as the pointer, the current snapshot and the newest report say.
    ///
    /// # Errors
    /// [`LakeError::LogCut`] if it does not, [`LakeError::LogDamaged`], or it cannot be read.
    pub fn check_log(&self, name: LogName) -> Result<(), LakeError> {
        self.check_against(name, &self.readable_anchors())
    }

    /// [`Self::check_log`] of every log: those that are not as they should be, and why.
    #[must_use]
    pub fn check_logs(&self) -> Vec<(LogName, LakeError)> {
        let anchors = self.readable_anchors();
        let check = |name| self.check_against(name, &anchors).err().map(|error| (name, error));
        LogName::ALL.into_par_iter().filter_map(check).collect()
    }

    fn check_against(&self, name: LogName, anchors: &[HeadAnchor]) -> Result<(), LakeError> {
        let log = self.read_log(name)?;
        match anchors.iter().find(|anchor| !log.contains_head(anchor.heads.head_of(name))) {
            Some(anchor) => Err(self.truncated_log(&name.key(), anchor.heads.head_of(name), &anchor.key)),
            None => Ok(()),
        }
    }

    /// Checks that the ledger is as long as the pointer, the current snapshot and the newest report say.
    ///
    /// # Errors
    /// [`LakeError::LogCut`] if it does not, another one if it is damaged, or it cannot be read.
    pub fn check_ledger(&self) -> Result<(), LakeError> {
        self.ledger_follows(&self.readable_anchors())
    }

    pub(crate) fn ledger_follows(&self, anchors: &[HeadAnchor]) -> Result<(), LakeError> {
        match self.unmatched_anchors(anchors)?.first() {
            Some(anchor) => Err(self.truncated_log(crate::ledger::FOLDER, &anchor.heads.ledger, &anchor.key)),
            None => Ok(()),
        }
    }

    /// Digests of parts of the ledger that something names and that are not there.
    pub(crate) fn missing_ledger_heads(&self) -> Result<Vec<String>, LakeError> {
        let anchors = self.all_anchors()?;
        let missing = self.unmatched_anchors(&anchors)?;
        let digests: BTreeSet<String> = missing.iter().map(|a| a.heads.ledger.sha256.clone()).collect();
        Ok(digests.into_iter().collect())
    }

    /// Those that name a part of the ledger that is not there, but for what a person gave up.
    fn unmatched_anchors<'a>(&self, anchors: &'a [HeadAnchor]) -> Result<Vec<&'a HeadAnchor>, LakeError> {
        if anchors.iter().all(|anchor| anchor.heads.ledger.entries == 0) {
            return Ok(Vec::new());
        }
        let (digests, lost) = (self.ledger_part_digests()?, self.publications()?.lost_ledger);
        let holds = |head: &LogHead| {
            let place = usize::try_from(head.entries).ok().and_then(|entries| entries.checked_sub(1));
            place.is_none_or(|place| digests.get(place) == Some(&head.sha256)) || lost.contains(&head.sha256)
        };
        Ok(anchors.iter().filter(|anchor| !holds(&anchor.heads.ledger)).collect())
    }

    pub(crate) fn truncated_log(&self, key: &str, head: &LogHead, anchor: &str) -> LakeError {
        LakeError::LogCut { path: self.store.path(key), entries: head.entries, anchor: anchor.to_owned() }
    }

    /// The pointer, the current snapshot and the newest report, as far as they can be read and name anything.
    pub(crate) fn readable_anchors(&self) -> Vec<HeadAnchor> {
        let mut anchors = Vec::new();
        if let Ok(Some((current, heads))) = self.current_with_heads() {
            anchors.extend(heads.map(|heads| HeadAnchor { key: "current.json".to_owned(), heads }));
            anchors.extend(self.snapshot(&current).ok().and_then(|manifest| manifest.head_anchor()));
        }
        // One that has not ended says nothing.
        let newest = self.list_runs().unwrap_or_default();
        anchors.extend(newest.iter().rev().take(8).find_map(|id| self.run_anchor(id)));
        anchors
    }

    /// Those and every snapshot and report.
    pub(crate) fn all_anchors(&self) -> Result<Vec<HeadAnchor>, LakeError> {
        let mut anchors = self.readable_anchors();
        for name in self.store.list_names("snapshots", true)? {
            let manifest = name.parse().ok().and_then(|id| self.snapshot(&id).ok());
            anchors.extend(manifest.and_then(|manifest| manifest.head_anchor()));
        }
        anchors.extend(self.list_runs()?.iter().filter_map(|id| self.run_anchor(id)));
        Ok(anchors)
    }

    /// The head anchor in the report of a run.
    pub(crate) fn run_anchor(&self, id: &str) -> Option<HeadAnchor> {
        let report = self.read_run(id).ok()?;
        let heads = serde_json::from_value(report.get("log_heads")?.clone()).ok()?;
        Some(HeadAnchor { key: format!("runs/{id}.json"), heads })
    }
}
