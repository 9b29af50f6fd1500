//! Tables that a commit has in common with what is there: one file with several names. A headline then costs what it
//! changes, not another copy of the history.
//!
//! A file of the lake is never written to once it has its name, only replaced, and what replaces it is another file:
//! so no name ever changes what is read under another.

use std::os::unix::fs::MetadataExt as _;

use crate::digest::sha256_of_file;
use crate::parquet_io::EncodedTable;
use crate::store::{HardLinks, LakeStore};
use crate::verification::HashedFile;
use crate::{Lake, LakeError, SnapshotId};

impl Lake {
    /// The files with the same bytes as these tables, for a commit that has its tables in the subfolder `inside`:
    /// those that they were read from, else those of the current snapshot, unless it is `itself` what is committed.
    pub(crate) fn find_links(
        &self,
        tables: &[EncodedTable],
        inside: &str,
        itself: Option<&SnapshotId>,
    ) -> HardLinks {
        let current = self.current_snapshot().ok().flatten().filter(|id| Some(id) != itself);
        let current = current.and_then(|id| self.snapshot(&id).ok());
        let published = |table: &EncodedTable| {
            let current = current.as_ref()?;
            let entry =
                current.table(&table.entry.name).filter(|entry| entry.sha256 == table.entry.sha256)?;
            let key = format!("{}/tables/{}.parquet", current.folder(), entry.name);
            self.open_checked(&key, &entry.sha256).ok().map(|_| key)
        };
        let links = tables.iter().filter_map(|table| {
            let key = table.same_as.clone().or_else(|| published(table))?;
            Some((format!("{inside}{}.parquet", table.entry.name), key))
        });
        links.collect()
    }

    /// Compares a file with its digest, once whatever its names; says how many bytes were hashed.
    pub(crate) fn check_once(
        &self,
        key: &str,
        expected: &str,
        hashed: &mut HashedFile,
    ) -> Result<u64, LakeError> {
        let path = self.store.path(key);
        let opened = self.store.open_file(key)?.ok_or_else(|| LakeError::Gone { path: path.clone() })?;
        let file = opened.metadata().ok();
        let known = file.as_ref().and_then(|file| hashed.get(&(file.dev(), file.ino())));
        if known.is_some_and(|known| known == expected) {
            return Ok(0);
        }
        let unread = |source| LakeError::Read { path: path.clone(), source };
        let found = sha256_of_file(&opened).map_err(unread)?;
        let bytes = opened.metadata().map_err(unread)?.len();
        if let Some(file) = file {
            hashed.insert((file.dev(), file.ino()), found.clone());
        }
        match found == expected {
            true => Ok(bytes),
            false => Err(LakeError::Corrupt { path, expected: expected.to_owned(), found }),
        }
    }
}

impl LakeStore {
    /// Whether `key` is now another name of the file `from`. File systems have reasons of their own why not, such as
    /// how many names a file may have: then it is written.
    pub(crate) fn put_link(&self, kind: &str, from: &str, key: &str) -> bool {
        self.record_step(kind, "link");
        // A name that is there already would stay beside its temporary one: renaming does nothing between two names
        // of one file. So it goes first; the folder has no manifest yet.
        let linked = self.remove_tree(key).is_ok().then(|| self.hard_link(from, key));
        match linked {
            Some(Ok(())) => true,
            failed => {
                tracing::debug!(from, key, ?failed, "no second name was given: the file is written");
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::testing::{draft, empty, events, fingerprint, lake, noon, normalised};
    use crate::{DraftTable, LakeWriter, SnapshotDraft, SnapshotManifest, StageOutput};

    /// Number of the file, which all its names share.
    fn file(path: &Path) -> u64 {
        std::fs::metadata(path).unwrap().ino()
    }

    fn table(lake: &Lake, of: &SnapshotManifest, name: &str) -> std::path::PathBuf {
        lake.root().join(of.folder()).join(format!("tables/{name}.parquet"))
    }

    fn stage(writer: &LakeWriter, ids: &[&str], input: &str) -> StageOutput {
        let tables = [("statsdb_events", events(ids)), ("fighters", empty("fighters"))];
        writer.commit_stage(&normalised(), &fingerprint(input), &tables, serde_json::json!({})).unwrap()
    }

    fn publish(writer: &LakeWriter, output: &StageOutput) -> SnapshotManifest {
        let tables = ["statsdb_events", "fighters"];
        let tables = tables.map(|name| (name.to_owned(), DraftTable::Stage(output.clone()))).into();
        let made = writer.commit_snapshot(SnapshotDraft { tables, ..draft(&[], "1", 15) }).unwrap();
        writer.set_current(&made.id, noon()).unwrap();
        made
    }

    #[test]
    fn a_table_that_did_not_change_is_one_file_in_stages_and_snapshots() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let (first, second) =
            (publish(&writer, &stage(&writer, &["a"], "1")), stage(&writer, &["a", "b"], "2"));
        let second = publish(&writer, &second);
        let rows = writer.commit_snapshot(draft(&["a", "b", "c"], "3", 15)).unwrap();
        let fighters = [&first, &second, &rows].map(|made| file(&table(&lake, made, "fighters")));
        assert!(fighters.iter().all(|number| *number == fighters[0]), "{fighters:?}");
        let events = [&first, &second, &rows].map(|made| file(&table(&lake, made, "statsdb_events")));
        assert!(events[0] != events[1] && events[1] != events[2] && events[0] != events[2], "{events:?}");
        let found = lake.verify().unwrap();
        assert_eq!((found.files, found.problems.as_slice()), (11, &[][..]));
        let bytes = |made: &SnapshotManifest, name| made.table(name).unwrap().bytes;
        let once = [&first, &second, &rows].map(|made| bytes(made, "statsdb_events")).iter().sum::<u64>();
        assert_eq!(found.bytes, once + bytes(&first, "fighters"), "each file once");
    }

    #[test]
    fn damage_of_a_shared_file_is_told_under_each_of_its_names_and_mended_under_one_alone() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let output = stage(&writer, &["a"], "1");
        let made = publish(&writer, &output);
        let (path, of_stage) = (
            table(&lake, &made, "statsdb_events"),
            lake.root().join(output.folder()).join("statsdb_events.parquet"),
        );
        std::fs::write(&path, "damaged").unwrap();
        assert_eq!(lake.verify().unwrap().problems.len(), 2);
        assert!(writer.commit_snapshot(draft(&["a"], "1", 15)).is_ok(), "of rows");
        assert_eq!(std::fs::read(&of_stage).unwrap(), b"damaged", "nothing is written through a name");
        assert_eq!(lake.verify().unwrap().problems.len(), 1);
        assert_eq!(stage(&writer, &["a"], "1"), output);
        assert_eq!(lake.verify().unwrap().problems, []);
        assert_eq!(file(&of_stage), file(&path), "and one file again");
    }

    #[test]
    fn where_no_second_name_can_be_given_the_file_is_written() {
        let (_folder, lake) = lake();
        let refusing = lake.clone().with_fault_hook(Arc::new(|operation, _| match operation {
            "link" => Err(std::io::ErrorKind::TooManyLinks.into()),
            _ => Ok(()),
        }));
        let writer = refusing.writer("test", noon()).unwrap();
        let output = stage(&writer, &["a"], "1");
        let made = publish(&writer, &output);
        let of_stage = lake.root().join(output.folder()).join("fighters.parquet");
        assert_ne!(file(&of_stage), file(&table(&lake, &made, "fighters")));
        assert_eq!(lake.verify().unwrap().problems, []);
    }
}
