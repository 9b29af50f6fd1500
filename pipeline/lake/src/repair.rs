//! Makes anew what is damaged and can be made of what is whole, and says what it did. What only a backup can give back
//! is left as it is, for `verify` to name.

use crate::keys::join_keys;
use crate::{Lake, LakeError, LakeWriter};

/// Repairs that were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LakeRepair {
    /// Files that are whole again, from the root, and how.
    pub mended: Vec<String>,
    /// Keys removed because they could not be repaired, from the root, with the reason.
    pub removed: Vec<String>,
}

impl LakeWriter {
    /// Writes anew, of what is whole: manifests of captures, the pointer, the head of the ledger, tables of snapshots
    /// of which the same bytes are elsewhere in the lake. Takes back stage outputs that are damaged: a run makes
    /// those anew that it needs. With `discard`, old snapshots and reports of runs that cannot be read go as well.
    ///
    /// # Errors
    /// Something cannot be read for another reason than damage, or not be written or removed.
    pub fn repair(&self, discard: bool) -> Result<LakeRepair, LakeError> {
        let mut done = LakeRepair::default();
        self.repair_captures(&mut done)?;
        let from_copies = self.mend_snapshots()?.into_iter().map(|key| format!("{key}: from a copy"));
        done.mended.extend(from_copies);
        done.removed.extend(
            self.retract_damaged()?
                .into_iter()
                .map(|output| format!("{output}: a run makes it anew if it needs it")),
        );
        if let Ok(Some(id)) = self.restore_pointer() {
            done.mended.push(format!("current.json: snapshot {id} was published last"));
        }
        if self.repair_ledger_head()? {
            done.mended.push("ledger/head.json: made of the last part".to_owned());
        }
        if discard {
            self.discard_unreadable(&mut done)?;
        }
        Ok(done)
    }

    fn repair_captures(&self, done: &mut LakeRepair) -> Result<(), LakeError> {
        // A log that is damaged cannot say what a capture was; `verify` names it.
        let Ok(log) = self.lake().capture_log() else { return Ok(()) };
        for known in &log.captures {
            let capture = &known.capture;
            let is_there = self.lake().store.is_folder(&capture.folder());
            if is_there && self.mend_manifest(capture)? {
                done.mended.push(format!("{}: capture.json made of the log", capture.folder()));
            }
        }
        Ok(())
    }

    fn repair_ledger_head(&self) -> Result<bool, LakeError> {
        match self.lake().ledger_head() {
            Ok(head) => {
                let after = self.mark_ledger(self.started_at()).ok().flatten();
                Ok(after != head && after.is_some())
            }
            Err(error) if error.is_damage() => self.remake_ledger_head(),
            Err(error) => Err(error),
        }
    }

    fn discard_unreadable(&self, done: &mut LakeRepair) -> Result<(), LakeError> {
        let store = &self.lake().store;
        let current = self.lake().current_snapshot().ok().flatten();
        for name in store.list_names("snapshots", true)? {
            let Ok(id) = name.parse() else { continue };
            let is_damaged = match self.lake().snapshot(&id) {
                Ok(manifest) => !self.lake().is_sound(&manifest.expected_files())?,
                Err(error) => error.is_damage(),
            };
            if is_damaged && current.as_ref() != Some(&id) {
                store.discard_folder("repair", &join_keys("snapshots", &name))?;
                done.removed.push(format!("snapshots/{name}: damaged, and not current"));
            }
        }
        for id in self.lake().list_runs()? {
            if self.lake().read_run(&id).is_err_and(|error| error.is_damage()) {
                let key = format!("runs/{id}.json");
                store.retract_manifest("repair", "runs", &key)?;
                done.removed.push(format!("{key}: damaged"));
            }
        }
        Ok(())
    }
}

impl Lake {
    /// Checks the small files of the lake: the pointer, the logs, the newest snapshot's manifest,
    /// the head of the ledger, captures that are missing. Cheap enough to ask often; `verify` reads everything.
    #[must_use]
    pub fn quick_check(&self) -> Vec<LakeError> {
        let mut found = Vec::new();
        let current = self.current_snapshot().and_then(|id| id.map(|id| self.snapshot(&id)).transpose());
        found.extend(current.err());
        found.extend(self.check_logs().into_iter().map(|(_, error)| error));
        found.extend(self.ledger_head().and_then(|_| self.check_ledger()).err());
        found
    }
}
