//! Reads everything again and says what is not as it was committed.

use std::collections::BTreeSet;

use crate::capture::CAPTURE;
use crate::digest::sha256;
use crate::gc::stage_folders;
use crate::keys::join_keys;
use crate::manifest::MANIFEST;
use crate::panel::{PanelSet, manifest_key};
use crate::{Lake, LakeError, LakeProblem, LakeVerification, LogName};

impl Lake {
    /// Compares every file of every capture, stage output, snapshot, panel and part of the ledger with its digest, every manifest with
    /// its folder, and the pointer with what it points to. Safe beside a writer, but what `gc` removes
    /// meanwhile would be told as gone.
    ///
    /// # Errors
    /// A folder cannot be listed. What is wrong with a file is no error but a problem in the result.
    pub fn verify(&self) -> Result<LakeVerification, LakeError> {
        let mut found = LakeVerification::default();
        for source in self.store.list_names("raw", true)? {
            self.verify_captures(&source, &mut found)?;
        }
        for stage in stage_folders(&self.store)? {
            self.verify_outputs(&stage, &mut found)?;
        }
        self.verify_snapshots(&mut found)?;
        self.verify_panels(&mut found)?;
        self.verify_ledger(&mut found)?;
        self.verify_small(&mut found)?;
        self.verify_pointer(&mut found);
        self.verify_logs(&mut found)?;
        self.verify_objects(&mut found)?;
        Ok(found)
    }

    /// Checks that the object store has in full what was read from copies on this machine.
    fn verify_objects(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        let Some(bucket) = self.store.bucket() else { return Ok(()) };
        let missing = bucket.missing_objects();
        let missing =
            missing.map_err(|source| LakeError::List { path: self.root().to_path_buf(), source })?;
        let problem = |(key, what): (String, String)| LakeProblem { path: self.store.path(&key), what };
        found.problems.extend(missing.into_iter().map(problem));
        Ok(())
    }

    /// Checks the state of addresses, and the decisions that snapshots follow.
    fn verify_small(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        for name in self.store.list_names("fetch", false)? {
            let Some(source) = name.strip_suffix(".json") else { continue };
            found.files += 1;
            if let Err(error) = self.fetch_state(source) {
                self.add_problem(&join_keys("fetch", &name), &error, found);
            }
        }
        for digest in self.store.list_names("decisions/used", true)? {
            let folder = join_keys("decisions/used", &digest);
            found.files += 1;
            let texts = self.store.list_names(&folder, false)?.into_iter().map(|name| {
                Ok(self
                    .store
                    .read_file(&join_keys(&folder, &name))?
                    .map(|bytes| sha256(&bytes))
                    .unwrap_or_default())
            });
            let is_whole =
                sha256(texts.collect::<Result<Vec<_>, LakeError>>()?.concat().as_bytes()) == digest;
            if !is_whole {
                let what = "is not what its name says".to_owned();
                found.problems.push(LakeProblem { path: self.store.path(&folder), what });
            }
        }
        Ok(())
    }

    fn verify_pointer(&self, found: &mut LakeVerification) {
        let current =
            self.current_snapshot().and_then(|id| id.map(|id| self.snapshot(&id).map(|_| id)).transpose());
        let history = self.publications().map(|log| log.history).unwrap_or_default();
        let published = history.last().map(|publication| publication.snapshot.clone());
        // A run that broke off may have written down what it was about to publish: the pointer is one behind.
        let before = history.len().checked_sub(2).map(|at| history[at].snapshot.clone());
        let what = match (current, published) {
            (Err(error), _) => return self.add_problem("current.json", &error, found),
            (Ok(None), Some(newest)) => format!("is gone; snapshot {newest} was published last"),
            (Ok(Some(current)), Some(newest)) if current != newest && before != Some(current.clone()) => {
                format!("names snapshot {current}; {newest} was published last")
            }
            (Ok(_), _) => return,
        };
        found.problems.push(LakeProblem { path: self.store.path("current.json"), what });
    }

    /// Every log, the captures that it names, and that each goes as far as snapshots, the pointer and reports of runs
    /// say that it went.
    fn verify_logs(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        for id in self.list_runs()? {
            if let Err(error) = self.read_run(&id) {
                self.add_problem(&format!("runs/{id}.json"), &error, found);
            }
        }
        let anchors = self.all_anchors()?;
        for name in LogName::ALL {
            let checked = self.read_log(name).and_then(|log| {
                let short = anchors.iter().find(|anchor| !log.contains_head(anchor.heads.head_of(name)));
                short.map_or(Ok(()), |anchor| {
                    Err(self.truncated_log(&name.key(), anchor.heads.head_of(name), &anchor.key))
                })
            });
            found.files += u64::from(self.has_log(name));
            if let Err(error) = checked {
                self.add_problem(&name.key(), &error, found);
            }
        }
        if let Err(error) = self.ledger_follows(&anchors) {
            self.add_problem(crate::ledger::FOLDER, &error, found);
        }
        // What their manifests say is compared above, as far as they are there.
        for missing in self.missing_captures().unwrap_or_default() {
            let path = self.store.path(&missing.capture.folder());
            if !found.problems.iter().any(|problem| problem.path.starts_with(&path)) {
                found.problems.push(LakeProblem { path, what: missing.why });
            }
        }
        Ok(())
    }

    fn verify_captures(&self, source: &str, found: &mut LakeVerification) -> Result<(), LakeError> {
        let log = self.capture_log().unwrap_or_default();
        for id in self.store.list_names(&join_keys("raw", source), true)? {
            let folder = format!("raw/{source}/{id}");
            match self.find_capture(source, &id) {
                Ok(Some(capture)) => {
                    self.verify_files(&folder, CAPTURE, &capture.expected_files(), found)?;
                    if log.find_capture(source, &id).is_none() && log.has_another_of_its_time(&capture) {
                        let what =
                            "is not in the log, which has another capture of its time: give the replacement \
                                    that broke off again, or remove the folder"
                                .to_owned();
                        found.problems.push(LakeProblem { path: self.store.path(&folder), what });
                    }
                    if log.find_capture(source, &id).is_some_and(|known| known.capture != capture) {
                        let what = format!("is not what {} says", LogName::Captures.key());
                        found.problems.push(LakeProblem { path: self.store.path(&folder), what });
                    }
                }
                // Not swept by anyone, so it has to be told: its files are lost to the pipeline.
                Ok(None) if self.store.is_stray(&folder, CAPTURE)? => found
                    .problems
                    .push(LakeProblem { path: self.store.path(&folder), what: format!("has no {CAPTURE}") }),
                Ok(None) => {}
                Err(error) => self.add_problem(&folder, &error, found),
            }
        }
        Ok(())
    }

    fn verify_outputs(&self, stage: &str, found: &mut LakeVerification) -> Result<(), LakeError> {
        for name in self.store.list_names(stage, true)? {
            let folder = join_keys(stage, &name);
            let (Ok(stage), Ok(fingerprint)) = (stage.parse(), name.parse()) else { continue };
            match self.find_stage(&stage, &fingerprint) {
                Ok(Some(output)) => self.verify_files(&folder, MANIFEST, &output.expected_files(), found)?,
                Ok(None) => {}
                Err(error) => self.add_problem(&folder, &error, found),
            }
        }
        Ok(())
    }

    fn verify_snapshots(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        for name in self.store.list_names("snapshots", true)? {
            let folder = join_keys("snapshots", &name);
            let Ok(id) = name.parse() else { continue };
            match self.snapshot(&id) {
                Ok(snapshot) => {
                    self.verify_files(&folder, MANIFEST, &[], found)?;
                    self.verify_files(&join_keys(&folder, "tables"), "", &snapshot.expected_files(), found)?;
                }
                Err(LakeError::NoSnapshot { .. }) => {}
                Err(error) => self.add_problem(&folder, &error, found),
            }
        }
        Ok(())
    }

    fn verify_panels(&self, found: &mut LakeVerification) -> Result<(), LakeError> {
        for set in PanelSet::all() {
            self.verify_panels_of(set, found)?;
        }
        Ok(())
    }

    fn verify_panels_of(&self, set: PanelSet, found: &mut LakeVerification) -> Result<(), LakeError> {
        for as_of in self.panel_dates(set)? {
            match self.find_panel(set, as_of) {
                Ok(Some(panel)) => {
                    for (folder, file) in panel.table_folders().iter().zip(panel.expected_files()) {
                        self.verify_files(folder, "", &[file], found)?;
                    }
                }
                Ok(None) => {}
                Err(error) => self.add_problem(&manifest_key(set, as_of), &error, found),
            }
        }
        Ok(())
    }

    /// The files that `folder` must have, and no others but the manifest.
    pub(crate) fn verify_files(
        &self,
        folder: &str,
        manifest: &str,
        expected: &[(String, &str)],
        found: &mut LakeVerification,
    ) -> Result<(), LakeError> {
        let mut others: BTreeSet<_> =
            self.store.list_names(folder, false)?.iter().map(|f| join_keys(folder, f)).collect();
        others.remove(&join_keys(folder, manifest));
        for (key, digest) in expected {
            others.remove(key);
            match self.check_once(key, digest, &mut found.hashed) {
                Ok(bytes) => found.bytes += bytes,
                Err(error) => self.add_problem(key, &error, found),
            }
            found.files += 1;
        }
        found.problems.extend(
            others
                .iter()
                .map(|key| LakeProblem { path: self.store.path(key), what: "is in no manifest".to_owned() }),
        );
        Ok(())
    }

    pub(crate) fn add_problem(&self, key: &str, error: &LakeError, found: &mut LakeVerification) {
        let cause = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
        let what = match error {
            LakeError::Corrupt { expected, found, .. } => format!("expected {expected}, found {found}"),
            LakeError::Gone { .. } => "is gone".to_owned(),
            LakeError::LogDamaged { line, why, .. } => format!("line {line}: {why}"),
            LakeError::LogCut { entries, anchor, .. } => {
                format!("ends before entry {entries}, which {anchor} names")
            }
            other => format!("{other}{cause}"),
        };
        found.problems.push(LakeProblem { path: self.store.path(key), what });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{capture, draft, events, fingerprint, lake, noon, normalised};

    #[test]
    fn a_healthy_lake_has_no_problems_and_each_kind_of_damage_is_told() {
        let (_folder, lake) = lake();
        assert_eq!(lake.verify().unwrap(), LakeVerification::default());
        let writer = lake.writer("test", noon()).unwrap();
        let kept = writer.add_capture(capture(noon(), "abc")).unwrap().into_inner();
        let tables = [("statsdb_events", events(&["a"]))];
        let output =
            writer.commit_stage(&normalised(), &fingerprint("1"), &tables, serde_json::json!({})).unwrap();
        let snapshot = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
        writer.set_current(&snapshot.id, noon()).unwrap();
        writer.write_run("r", &serde_json::json!({})).unwrap();
        let found = lake.verify().unwrap();
        let tables: u64 = snapshot.tables.iter().map(|t| t.bytes).sum();
        assert_eq!((found.files, found.problems.as_slice()), (7, &[][..]));
        assert_eq!(found.bytes, 6 + output.tables[0].bytes + tables);

        let root = lake.root();
        std::fs::write(root.join(kept.folder()).join("events.csv"), "abd").unwrap();
        std::fs::write(root.join(kept.folder()).join("more.csv"), "").unwrap();
        for folder in ["by-hand", "empty", "begun"] {
            std::fs::create_dir(root.join("raw/statsdb").join(folder)).unwrap();
        }
        for file in ["by-hand/a.csv", "begun/a.csv", "begun/.tmp-capture.json-1"] {
            std::fs::write(root.join("raw/statsdb").join(file), "").unwrap();
        }
        std::fs::remove_file(root.join(output.folder()).join("statsdb_events.parquet")).unwrap();
        std::fs::write(root.join(snapshot.folder()).join("tables/x.parquet"), "").unwrap();
        let other = "0".repeat(32);
        std::fs::write(
            root.join("current.json"),
            format!(r#"{{"format":1,"snapshot_id":"{other}","moved_at":"2024-12-15T12:00:00Z"}}"#),
        )
        .unwrap();
        let problems = lake.verify().unwrap().problems;
        let lines: Vec<_> = problems
            .iter()
            .map(|p| {
                let name = p.path.file_name().unwrap().to_string_lossy();
                format!("{name} {}", p.what.split(' ').take(2).collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(
            lines,
            [
                "events.csv expected ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad,",
                "more.csv is in",
                "by-hand has no",
                "statsdb_events.parquet is gone",
                "x.parquet is in",
                "current.json no snapshot",
            ]
        );
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_a_problem_not_an_error() {
        let (_folder, lake) = lake();
        let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft(&["a"], "1", 15)).unwrap();
        std::fs::write(lake.root().join(made.folder()).join(MANIFEST), "{").unwrap();
        let problems = lake.verify().unwrap().problems;
        assert_eq!(problems.len(), 1);
        assert!(problems[0].what.starts_with("cannot parse"), "{}", problems[0].what);
    }
}
