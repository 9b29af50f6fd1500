//! The fight-week ledger: parts that are only ever added, each naming the one before by its digest.
//!
//! ```text
//! ledger/00000001/manifest.json + ledger.parquet   what one run added
//! ledger/head.json                                 how far it goes
//! ledger-due.json                                  when there is something to add again: found out anew without it
//! ```

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::digest::sha256;
use crate::fingerprint::Fingerprint;
use crate::keys::join_keys;
use crate::manifest::{self, MANIFEST, TableEntry, instant, optional_instant};
use crate::parquet_io::encode_table;
use crate::store::FolderDraft;
use crate::verification::{LakeProblem, LakeVerification};
use crate::{Lake, LakeError, LakeWriter, MANIFEST_FORMAT, contract};

pub(crate) const FOLDER: &str = "ledger";
const TABLE: &str = "ledger";
const HEAD: &str = "ledger/head.json";
const DUE: &str = "ledger-due.json";

/// Rows that one run added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerPart {
    /// Format number of the manifest.
    pub format: u32,
    /// Its place among the parts, from 1.
    pub number: u32,
    /// Rows of all parts before.
    pub rows_before: u64,
    /// Digest of its last row, which seals all before.
    pub head: String,
    /// SHA-256 of the manifest of the part before; `None` in the first.
    pub previous: Option<String>,
    /// The rows.
    pub table: TableEntry,
}

/// Head of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerHead {
    /// Format number of the file.
    pub format: u32,
    /// Number of parts.
    pub parts: u32,
    /// Rows of all of them.
    pub rows: u64,
    /// Digest of the last row.
    pub head: String,
    /// SHA-256 of the manifest of the last part.
    pub manifest: String,
    /// When it last grew.
    #[serde(with = "instant")]
    pub moved_at: DateTime<Utc>,
}

/// Time of the next rows, as long as the inputs stay the same. It spares runs that find nothing new
/// the reading of all that the rows are made of; without it nothing is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerDue {
    /// Format number of the file.
    pub format: u32,
    /// Inputs of the rows, and the rows that are there.
    pub inputs: Fingerprint,
    /// The time as of which there was nothing more to add.
    #[serde(with = "instant")]
    pub checked_at: DateTime<Utc>,
    /// The first time after it at which there may be; `None` if the clock alone brings none.
    #[serde(with = "optional_instant")]
    pub due_at: Option<DateTime<Utc>>,
}

impl LedgerDue {
    /// Of the format of this build.
    #[must_use]
    pub fn new(inputs: Fingerprint, checked_at: DateTime<Utc>, due_at: Option<DateTime<Utc>>) -> Self {
        Self { format: MANIFEST_FORMAT, inputs, checked_at, due_at }
    }

    /// Whether there is nothing to add at `now`. Before it was checked nobody knows: a clock was set back.
    #[must_use]
    pub fn is_quiet(&self, inputs: &Fingerprint, now: DateTime<Utc>) -> bool {
        self.inputs == *inputs && self.checked_at <= now && self.due_at.is_none_or(|due_at| now < due_at)
    }
}

impl LedgerPart {
    fn folder(&self) -> String {
        part_folder(self.number)
    }

    fn file(&self) -> String {
        format!("{}/{TABLE}.parquet", self.folder())
    }

    /// Rows up to its end.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows_before + self.table.rows
    }
}

/// The parts with the digests of their manifests.
type PartChain = Vec<(LedgerPart, String)>;

fn part_folder(number: u32) -> String {
    format!("{FOLDER}/{number:08}")
}

impl Lake {
    /// The head of the ledger; `None` before its first row. Cheap: readers watch it.
    ///
    /// # Errors
    /// It cannot be read, or is of a newer format.
    pub fn ledger_head(&self) -> Result<Option<LedgerHead>, LakeError> {
        manifest::read_manifest(&self.store, HEAD)
    }

    /// Time of the next rows; `None` if it is not known.
    ///
    /// # Errors
    /// The file cannot be read, or is of a newer format.
    pub fn ledger_due(&self) -> Result<Option<LedgerDue>, LakeError> {
        manifest::read_manifest(&self.store, DUE)
    }

    /// The parts of the ledger, in order, whether the head knows of them yet or not.
    ///
    /// # Errors
    /// A part is missing or does not name the one before it ([`LakeError::Corrupt`], [`LakeError::Gone`]), or it
    /// cannot be read.
    pub fn ledger_parts(&self) -> Result<Vec<LedgerPart>, LakeError> {
        Ok(self.ledger_chain()?.into_iter().map(|(part, _)| part).collect())
    }

    /// The parts that make up the ledger of this head: all of them, and none after.
    ///
    /// # Errors
    /// As for [`Self::ledger_parts`]; [`LakeError::Corrupt`] too if the last of them is gone or another.
    pub fn ledger_parts_up_to(&self, head: &LedgerHead) -> Result<Vec<LedgerPart>, LakeError> {
        let chain = self.ledger_chain()?;
        if !is_at(&chain, head) {
            return Err(self.another_head(&chain, head));
        }
        let parts = chain.into_iter().map(|(part, _)| part);
        Ok(parts.filter(|part| part.number <= head.parts).collect())
    }

    fn another_head(&self, chain: &PartChain, head: &LedgerHead) -> LakeError {
        let found = chain.last().map(|(_, digest)| digest.clone()).unwrap_or_default();
        LakeError::Corrupt { path: self.store.path(HEAD), expected: head.manifest.clone(), found }
    }

    /// Every row of a part, checked against its digest and the contract of this build.
    ///
    /// # Errors
    /// [`LakeError::Gone`], [`LakeError::Corrupt`], [`LakeError::Contract`], or it cannot be read.
    pub fn read_ledger_part(&self, part: &LedgerPart) -> Result<RecordBatch, LakeError> {
        let contract = contract::find_contract(TABLE)?;
        contract::check_version(contract, Some(&part.table))?;
        let file =
            self.checked_file(&part.folder(), &format!("{TABLE}.parquet"), TABLE, Some(&part.table))?;
        contract::conform_to_contract(contract, &file.decode()?)
            .map_err(|source| contract::contract_error(TABLE, source))
    }

    /// The parts with the digests of their manifests.
    fn ledger_chain(&self) -> Result<PartChain, LakeError> {
        let mut numbers: Vec<u32> =
            self.store.list_names(FOLDER, true)?.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        let mut chain = PartChain::new();
        for number in numbers {
            let key = join_keys(&part_folder(number), MANIFEST);
            // A part whose commit broke off has no manifest, and nothing after it.
            let Some(bytes) = self.store.read_file(&key)? else { continue };
            let (part, digest) =
                (manifest::parse_manifest::<LedgerPart>(&self.store, &key, &bytes)?, sha256(&bytes));
            let before = chain.last();
            let expected = before.map(|(_, digest)| digest.clone());
            let rows_before = before.map_or(0, |(part, _)| part.rows());
            let place = u32::try_from(chain.len() + 1).unwrap_or(u32::MAX);
            if (part.number, number) != (place, place) {
                return Err(LakeError::Gone {
                    path: self.store.path(&join_keys(&part_folder(place), MANIFEST)),
                });
            }
            if part.previous != expected || part.rows_before != rows_before {
                let (expected, found) = (expected.unwrap_or_default(), part.previous.unwrap_or_default());
                return Err(LakeError::Corrupt { path: self.store.path(&key), expected, found });
            }
            chain.push((part, digest));
        }
        Ok(chain)
    }

    /// The digests of the parts' manifests, in order.
    pub(crate) fn ledger_part_digests(&self) -> Result<Vec<String>, LakeError> {
        Ok(self.ledger_chain()?.into_iter().map(|(_, digest)| digest).collect())
    }

    /// The parts and the head, if it names one of them: else rows are gone that were there, and none may take their
    /// place.
    fn whole_ledger(&self) -> Result<(PartChain, Option<LedgerHead>), LakeError> {
        let (chain, head) = (self.ledger_chain()?, self.ledger_head()?);
        match head.as_ref().filter(|head| !is_at(&chain, head)) {
            Some(head) => Err(self.another_head(&chain, head)),
            None => Ok((chain, head)),
        }
    }

    /// Every part of the ledger against its digest, and the last of them against the head.
    pub(crate) fn verify_ledger(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        let chain = match self.ledger_chain() {
            Ok(chain) => chain,
            Err(error) => {
                self.add_problem(FOLDER, &error, found);
                return Ok(());
            }
        };
        for (part, _) in &chain {
            let expected = [(part.file(), part.table.sha256.as_str())];
            self.verify_files(&part.folder(), MANIFEST, &expected, found)?;
        }
        if let Err(error) = self.ledger_due() {
            self.add_problem(DUE, &error, found);
        }
        match self.ledger_head() {
            Err(error) => self.add_problem(HEAD, &error, found),
            // A run that broke off may have added a part that the head does not know yet.
            Ok(Some(head)) if !is_at(&chain, &head) => found.problems.push(LakeProblem {
                path: self.store.path(HEAD),
                what: format!("part {} of the ledger is not the one that it names", head.parts),
            }),
            Ok(_) => {}
        }
        Ok(())
    }
}

/// Whether the part that the head names is the one that it was.
fn is_at(chain: &PartChain, head: &LedgerHead) -> bool {
    let place = usize::try_from(head.parts).ok().and_then(|parts| parts.checked_sub(1));
    let part = place.and_then(|place| chain.get(place));
    part.is_some_and(|(part, digest)| {
        *digest == head.manifest && part.head == head.head && part.rows() == head.rows
    })
}

impl LakeWriter {
    /// Adds rows to the ledger; `head` is the digest of the last of them. They appear whole or not at all.
    ///
    /// # Errors
    /// [`LakeError::Contract`] if they do not follow the contract, [`LakeError::Corrupt`] or [`LakeError::Gone`] if
    /// earlier parts are not those that were there, or the lake cannot be read or written.
    pub fn append_ledger(
        &self,
        rows: &RecordBatch,
        head: &str,
        now: DateTime<Utc>,
    ) -> Result<LedgerHead, LakeError> {
        let store = &self.lake().store;
        let (chain, _) = self.lake().whole_ledger()?;
        let before = chain.last();
        let encoded = encode_table(contract::find_contract(TABLE)?, rows)?;
        let part = LedgerPart {
            format: MANIFEST_FORMAT,
            number: before.map_or(1, |(part, _)| part.number + 1),
            rows_before: before.map_or(0, |(part, _)| part.rows()),
            head: head.to_owned(),
            previous: before.map(|(_, digest)| digest.clone()),
            table: encoded.entry.clone(),
        };
        let target = part.folder();
        let text = manifest::to_bytes(store, &target, &part)?;
        let digest = sha256(&text);
        let files = vec![(format!("{TABLE}.parquet"), encoded.content)];
        store.put_folder(&FolderDraft { kind: "ledger", target, files, manifest: (MANIFEST, text) })?;
        self.put_head(&part, digest, now)
    }

    /// Notes when there is something to add again, over what was noted before.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_ledger_due(&self, due: &LedgerDue) -> Result<(), LakeError> {
        let store = &self.lake().store;
        store.put_file("ledger", DUE, &manifest::to_bytes(store, DUE, due)?)
    }

    /// Makes the head name the last part, if an append broke off before that. `None` where there is no part.
    ///
    /// # Errors
    /// As for [`Self::append_ledger`].
    pub fn mark_ledger(&self, now: DateTime<Utc>) -> Result<Option<LedgerHead>, LakeError> {
        let (chain, head) = self.lake().whole_ledger()?;
        let Some((part, digest)) = chain.into_iter().last() else { return Ok(None) };
        match head.filter(|head| head.parts == part.number) {
            Some(head) => Ok(Some(head)),
            None => self.put_head(&part, digest, now).map(Some),
        }
    }

    /// Makes the head anew of the last part, where it cannot be read or names one that is gone. Says `false` where
    /// there is no part: then there is no head either.
    pub(crate) fn remake_ledger_head(&self) -> Result<bool, LakeError> {
        let Some((part, digest)) = self.lake().ledger_chain()?.into_iter().last() else {
            self.lake().store.retract_manifest("ledger", FOLDER, HEAD)?;
            return Ok(false);
        };
        self.put_head(&part, digest, self.started_at()).map(|_| true)
    }

    fn put_head(
        &self,
        part: &LedgerPart,
        digest: String,
        now: DateTime<Utc>,
    ) -> Result<LedgerHead, LakeError> {
        let store = &self.lake().store;
        let head = LedgerHead {
            format: MANIFEST_FORMAT,
            parts: part.number,
            rows: part.rows(),
            head: part.head.clone(),
            manifest: digest,
            moved_at: now,
        };
        store.put_file("ledger", HEAD, &manifest::to_bytes(store, HEAD, &head)?)?;
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::testing::{day, edited, empty, fingerprint, lake, noon};

    fn append(writer: &LakeWriter, head: &str) -> LedgerHead {
        writer.append_ledger(&empty(TABLE), head, noon()).unwrap()
    }

    #[test]
    fn nothing_is_due_of_the_same_inputs_from_the_check_until_the_time_that_was_noted() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert_eq!(lake.ledger_due().unwrap(), None);
        let hours = chrono::TimeDelta::hours;
        let (same, other) = (fingerprint("a"), fingerprint("b"));
        let due = LedgerDue::new(same.clone(), noon(), Some(noon() + hours(2)));
        writer.write_ledger_due(&due).unwrap();
        let due = lake.ledger_due().unwrap().unwrap();
        let quiet = [-1, 0, 1, 2].map(|hour| due.is_quiet(&same, noon() + hours(hour)));
        assert_eq!(quiet, [false, true, true, false]);
        assert!(!due.is_quiet(&other, noon()));
        assert!(LedgerDue { due_at: None, ..due }.is_quiet(&same, noon() + hours(100_000)));
        std::fs::write(lake.root().join(DUE), "{}").unwrap();
        assert_eq!(lake.verify().unwrap().problems.len(), 1);
    }

    #[test]
    fn parts_follow_one_another_and_the_head_names_the_last() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert_eq!((lake.ledger_head().unwrap(), lake.ledger_parts().unwrap()), (None, vec![]));
        let first = append(&writer, "a");
        let head = append(&writer, "b");
        assert_eq!((head.parts, head.head.as_str()), (2, "b"));
        assert_eq!(lake.ledger_head().unwrap(), Some(head.clone()));
        assert_eq!(writer.mark_ledger(day(20)).unwrap(), Some(head.clone()), "nothing to mark");
        let parts = lake.ledger_parts().unwrap();
        assert_eq!(
            parts.iter().map(|part| (part.number, part.head.as_str())).collect::<Vec<_>>(),
            [(1, "a"), (2, "b")]
        );
        assert_eq!(lake.read_ledger_part(&parts[1]).unwrap(), empty(TABLE));
        assert_eq!(lake.ledger_parts_up_to(&head).unwrap(), parts);
        assert_eq!(lake.ledger_parts_up_to(&first).unwrap(), parts[..1], "as the ledger stood then");
        assert_eq!(lake.verify().unwrap().problems, []);
        writer.gc(0).unwrap();
        assert_eq!(lake.ledger_parts().unwrap(), parts, "the ledger is never swept");
    }

    #[test]
    fn a_part_that_is_changed_or_gone_is_told_and_nothing_is_put_in_its_place() {
        for damage in ["edit", "first", "last", "head"] {
            let (_folder, lake) = lake();
            let writer = lake.writer("test", noon()).unwrap();
            for head in ["a", "b", "c"] {
                append(&writer, head);
            }
            let path = |name: &str| lake.root().join("ledger").join(name);
            let edit = |name: &str, text: &str| {
                let whole = std::fs::read(path(name)).unwrap();
                std::fs::write(path(name), edited(&whole, text, "\"x\"")).unwrap();
            };
            match damage {
                "edit" => edit("00000002/manifest.json", "\"b\""),
                "first" => std::fs::remove_dir_all(path("00000001")).unwrap(),
                "last" => std::fs::remove_dir_all(path("00000003")).unwrap(),
                _ => edit("head.json", "\"c\""),
            }
            assert_eq!(lake.verify().unwrap().problems.len(), 1, "{damage}");
            let head = lake.ledger_head().unwrap().unwrap();
            assert!(lake.ledger_parts_up_to(&head).is_err(), "{damage}");
            assert!(writer.append_ledger(&empty(TABLE), "d", noon()).is_err(), "{damage}");
            assert!(writer.mark_ledger(noon()).is_err(), "{damage}");
        }
    }

    #[test]
    fn an_append_broken_off_at_any_step_is_there_whole_or_not_at_all() {
        for broken in 0.. {
            let (_folder, lake) = lake();
            append(&lake.writer("test", noon()).unwrap(), "a");
            let step = AtomicUsize::new(0);
            let at = move |_: &str| assert_ne!(step.fetch_add(1, Ordering::Relaxed), broken, "broken off");
            let watched = lake.clone().with_step_hook(Arc::new(at));
            let run =
                catch_unwind(AssertUnwindSafe(|| append(&watched.writer("test", noon()).unwrap(), "b")));
            assert_eq!(lake.verify().unwrap().problems, [], "step {broken}");
            let parts = lake.ledger_parts().unwrap().len();
            let head = lake.ledger_head().unwrap().unwrap();
            assert!(head.parts == 1 || parts == 2, "the head never names what is not there");
            let writer = lake.writer("next", noon()).unwrap();
            assert_eq!(writer.mark_ledger(noon()).unwrap().unwrap().parts as usize, parts, "step {broken}");
            assert_eq!(append(&writer, "c").parts as usize, parts + 1, "step {broken}");
            assert_eq!(lake.verify().unwrap().problems, [], "step {broken}");
            if run.is_ok() {
                assert!(broken > 8, "{broken}");
                break;
            }
        }
    }
}
