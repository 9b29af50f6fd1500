//! Damaged tables of snapshots that the lake has whole under another name. One file may be a table of many snapshots:
//! what makes it anew for one of them would leave the others damaged.

use std::collections::BTreeMap;

use crate::gc::stage_folders;
use crate::keys::temporary_key;
use crate::verification::HashedFile;
use crate::{Lake, LakeError, LakeWriter};

impl LakeWriter {
    /// Puts a whole file in the place of each damaged table of a snapshot, where a stage output or another snapshot
    /// has one of the same digest. Says which were mended, from the root. Hashes every table once.
    ///
    /// # Errors
    /// A folder cannot be listed, or a file cannot be put in place.
    pub fn mend_snapshots(&self) -> Result<Vec<String>, LakeError> {
        let lake = self.lake();
        let mut hashed = HashedFile::new();
        let tables: Vec<(String, String)> = lake.published_tables()?;
        let is_damaged = |(key, digest): &(String, String), hashed: &mut HashedFile| matches!(lake.check_once(key, digest, hashed), Err(error) if error.is_damage());
        let (damaged, whole): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|table| is_damaged(table, &mut hashed));
        if damaged.is_empty() {
            return Ok(Vec::new());
        }
        let mut sources: BTreeMap<String, String> =
            whole.into_iter().map(|(key, digest)| (digest, key)).collect();
        for (key, digest) in lake.stage_tables()? {
            let is_wanted = damaged.iter().any(|(_, wanted)| *wanted == digest);
            if is_wanted && lake.check_once(&key, &digest, &mut hashed).is_ok() {
                sources.entry(digest).or_insert(key);
            }
        }
        let mut mended = Vec::new();
        for (key, digest) in damaged {
            if let Some(from) = sources.get(&digest) {
                self.replace_file(&key, from, &digest)?;
                mended.push(key);
            }
        }
        Ok(mended)
    }

    /// Puts the file `from` in the place of another.
    fn replace_file(&self, key: &str, from: &str, digest: &str) -> Result<(), LakeError> {
        let (store, new) = (&self.lake().store, temporary_key(key));
        store.remove_tree(&new)?;
        store.record_step("mend", "link");
        match store.hard_link(from, &new) {
            Ok(()) => {
                store.rename(&new, key)?;
                store.sync_above(key)
            }
            Err(_) => store.put_file("mend", key, &self.lake().read_checked(from, digest)?),
        }
    }
}

impl Lake {
    /// Key and digest of each table of the snapshots that can be read.
    fn published_tables(&self) -> Result<Vec<(String, String)>, LakeError> {
        let snapshots = self.readable_snapshots()?.readable;
        let tables = snapshots.iter().flat_map(|snapshot| snapshot.expected_files());
        Ok(tables.map(|(key, digest)| (key, digest.to_owned())).collect())
    }

    /// Key and digest of each file of the stage outputs that can be read.
    fn stage_tables(&self) -> Result<Vec<(String, String)>, LakeError> {
        let mut tables = Vec::new();
        for folder in stage_folders(&self.store)? {
            for name in self.store.list_names(&folder, true)? {
                let (Ok(stage), Ok(fingerprint)) = (folder.parse(), name.parse()) else { continue };
                let Ok(Some(output)) = self.find_stage(&stage, &fingerprint) else { continue };
                tables.extend(
                    output.expected_files().into_iter().map(|(key, digest)| (key, digest.to_owned())),
                );
            }
        }
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{draft, empty, events, fingerprint, lake, noon, normalised};
    use crate::{DraftTable, SnapshotDraft};

    #[test]
    fn every_snapshot_that_shares_a_damaged_file_gets_the_whole_one_and_what_nobody_has_stays_told() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let commit = || {
            let tables = [("statsdb_events", events(&["a"])), ("fighters", empty("fighters"))];
            writer.commit_stage(&normalised(), &fingerprint("1"), &tables, serde_json::json!({})).unwrap()
        };
        let output = commit();
        let made = ["1", "2"].map(|version| {
            let tables = ["statsdb_events", "fighters"];
            let tables = tables.map(|name| (name.to_owned(), DraftTable::Stage(output.clone()))).into();
            let definition_versions = vec![version.to_owned()];
            let draft = SnapshotDraft { tables, definition_versions, ..draft(&[], "1", 15) };
            writer.commit_snapshot(draft).unwrap()
        });
        assert_eq!(writer.mend_snapshots().unwrap(), [] as [String; 0]);
        let path = lake.root().join(made[0].folder()).join("tables/statsdb_events.parquet");
        std::fs::write(&path, "damaged").unwrap();
        assert_eq!(lake.verify().unwrap().problems.len(), 3, "one file, three names");
        assert_eq!(writer.mend_snapshots().unwrap(), [] as [String; 0], "nobody has it whole");
        assert_eq!(commit(), output, "the stage makes it anew");
        assert_eq!(writer.mend_snapshots().unwrap().len(), 2);
        assert_eq!(lake.verify().unwrap().problems, []);
        let names = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(names, 2, "nothing beside them");
    }
}
