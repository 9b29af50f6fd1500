//! A copy of a whole lake: of a folder into an object store, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::digest::sha256_of_file;
use crate::file_content::FileContent;
use crate::keys::CURRENT;
use crate::keys::join_keys;
use crate::lock::LOCK;
use crate::manifest::MANIFEST;
use crate::reserve::RESERVE;
use crate::{Lake, LakeError, LakeWriter};

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopiedFiles {
    /// Number of files.
    pub files: u64,
    /// Their bytes; a content with several names counts for each.
    pub bytes: u64,
}

impl LakeWriter {
    /// Copies every file of another lake into this one, which must have no current snapshot. What makes others be there
    /// comes after them, and the pointer last: a copy that is broken off serves nothing, and may be begun again.
    ///
    /// # Errors
    /// [`LakeError::NotEmpty`], or one of them cannot be read or written.
    pub fn copy_from(&self, from: &Lake) -> Result<CopiedFiles, LakeError> {
        let store = &self.lake().store;
        if store.is_there(CURRENT) {
            return Err(LakeError::NotEmpty { path: self.lake().root().to_path_buf() });
        }
        // A run may go on meanwhile: the snapshot that is current now is there in full.
        let pointer = from.store.read_file(CURRENT)?;
        let mut keys = Vec::new();
        from.collect_keys("", &mut keys)?;
        keys.retain(|key| ![CURRENT, LOCK, RESERVE].contains(&key.as_str()));
        keys.sort_by_cached_key(|key| (place_of(key), key.clone()));
        let mut copied = CopiedFiles::default();
        let mut names = BTreeMap::<String, String>::new();
        for key in keys {
            // One that went meanwhile was not needed.
            let Some(file) = from.store.open_file(&key)? else { continue };
            let unread = |source| LakeError::Read { path: from.store.path(&key), source };
            let digest = sha256_of_file(&file).map_err(unread)?;
            copied.files += 1;
            copied.bytes += file.metadata().map_err(unread)?.len();
            let parent = crate::keys::parent_key(&key);
            store.create_folder(parent)?;
            if names.get(&digest).is_some_and(|first| store.put_link("copy", first, &key)) {
                store.sync_above(&key)?;
                continue;
            }
            let content = FileContent::File(Arc::new(file));
            store.put_file_by("copy", &key, |file| content.write_to(file))?;
            names.insert(digest, key);
        }
        if let Some(pointer) = pointer {
            store.put_file("current", CURRENT, &pointer)?;
            copied.files += 1;
            copied.bytes += pointer.len() as u64;
        }
        Ok(copied)
    }
}

impl Lake {
    fn collect_keys(&self, folder: &str, into: &mut Vec<String>) -> Result<(), LakeError> {
        let files = self.store.list_names(folder, false)?;
        into.extend(files.iter().map(|name| join_keys(folder, name)));
        for name in self.store.list_names(folder, true)? {
            self.collect_keys(&join_keys(folder, &name), into)?;
        }
        Ok(())
    }
}

/// Contents come first, then what names them, then what counts on these.
fn place_of(key: &str) -> u8 {
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    match key.split('/').next() {
        Some("log" | "runs") => 2,
        _ if [MANIFEST, "capture.json", "head.json"].contains(&name) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;
    use crate::testing::{capture, draft, empty, events, fingerprint, lake, noon, normalised};
    use crate::{DraftTable, SnapshotDraft};

    #[test]
    fn a_copy_has_all_and_may_be_broken_off() {
        let (_folder, from) = lake();
        let writer = from.writer("test", noon()).unwrap();
        writer.add_capture(capture(noon(), "a")).unwrap();
        let tables = [("statsdb_events", events(&["a"])), ("fighters", empty("fighters"))];
        let output =
            writer.commit_stage(&normalised(), &fingerprint("x"), &tables, serde_json::json!({})).unwrap();
        let tables = [("statsdb_events".to_owned(), DraftTable::Stage(output.clone()))].into();
        let made = writer.commit_snapshot(SnapshotDraft { tables, ..draft(&[], "1", 15) }).unwrap();
        writer.set_current(&made.id, noon()).unwrap();
        drop(writer);

        let (_other, to) = lake();
        let writer = to.writer("copy", noon()).unwrap();
        let copied = writer.copy_from(&from).unwrap();
        assert!(matches!(writer.copy_from(&from), Err(LakeError::NotEmpty { .. })));
        drop(writer);
        let verified = to.verify().unwrap();
        assert_eq!((verified.problems.len(), to.current_snapshot().unwrap()), (0, Some(made.id.clone())));
        assert_eq!(verified.files, from.verify().unwrap().files);
        assert!(copied.files >= verified.files);
        let inode = |key: String| std::fs::metadata(to.root().join(key)).unwrap().ino();
        let of_stage = inode(format!("{}/statsdb_events.parquet", output.folder()));
        assert_eq!(inode(format!("{}/tables/statsdb_events.parquet", made.folder())), of_stage);
        assert_eq!(
            to.read_log(crate::LogName::Captures).unwrap(),
            from.read_log(crate::LogName::Captures).unwrap()
        );
    }
}
