//! What a lake does with its files, wherever they are: read, list, put, remove. Keys are paths from the root with
//! `/`, as an object store has them.
//!
//! A rename is atomic but not durable, and neither is a write: bytes last once the file is synced, a name once
//! the folder that holds it is. So a file is synced before its rename and the folders above it after. No folder
//! is ever renamed into place, since an object store has none: its manifest, which comes last, makes it be there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use crate::LakeError;
use crate::backend::{Backend, EntryKind, FileStamp};
use crate::bucket::{self, Bucket};
use crate::disk::FaultHook;
use crate::file_content::FileContent;
use crate::folder::{self, Folder};
use crate::keys::{TEMPORARY, is_temporary_of, join_keys, parent_key, temporary_key};
use crate::reserve::SMALL;

/// Name in a folder that is being committed, and key of a file with the same bytes.
pub(crate) type HardLinks = BTreeMap<String, String>;

type StepHook = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Clone)]
pub(crate) struct LakeStore {
    root: Arc<Path>,
    pub(crate) backend: Arc<dyn Backend>,
    /// The same, if it is a bucket.
    bucket: Option<Arc<Bucket>>,
    hook: Option<StepHook>,
    pub(crate) fault: Option<FaultHook>,
}

impl std::fmt::Debug for LakeStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("root", &self.root).finish_non_exhaustive()
    }
}

/// A folder to commit: as far as readers can tell, in one piece.
pub(crate) struct FolderDraft {
    /// First half of the names of its steps.
    pub(crate) kind: &'static str,
    pub(crate) target: String,
    /// Name inside the folder, at most one level deep, and content.
    pub(crate) files: Vec<(String, FileContent)>,
    pub(crate) manifest: (&'static str, Bytes),
}

/// Files in several folders that one manifest, elsewhere, makes be there.
pub(crate) struct FilesDraft {
    /// First half of the names of its steps.
    pub(crate) kind: &'static str,
    /// Key and content.
    pub(crate) files: Vec<(String, FileContent)>,
    pub(crate) manifest: (String, Bytes),
}

impl FolderDraft {
    fn folders(&self) -> BTreeSet<&str> {
        self.files.iter().map(|(name, _)| parent_key(name)).filter(|folder| !folder.is_empty()).collect()
    }
}

impl LakeStore {
    pub(crate) fn new(root: PathBuf) -> Self {
        match bucket::shared(&root) {
            Some(bucket) => Self::in_bucket(root, bucket),
            None => {
                let backend = Arc::new(Folder::new(root.clone()));
                Self { root: root.into(), backend, bucket: None, hook: None, fault: None }
            }
        }
    }

    pub(crate) fn in_bucket(root: PathBuf, bucket: Arc<Bucket>) -> Self {
        let backend = Arc::new(Arc::clone(&bucket));
        Self { root: root.into(), backend, bucket: Some(bucket), hook: None, fault: None }
    }

    pub(crate) fn bucket(&self) -> Option<&Arc<Bucket>> {
        self.bucket.as_ref()
    }

    pub(crate) fn set_hook(&mut self, hook: StepHook) {
        self.hook = Some(hook);
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, key: &str) -> PathBuf {
        if key.is_empty() { self.root.to_path_buf() } else { self.root.join(key) }
    }

    pub(crate) fn record_step(&self, kind: &str, what: &str) {
        if let Some(hook) = &self.hook {
            hook(&format!("{kind}/{what}"));
        }
    }

    /// The file; `None` where there is none, [`LakeError::NotAFile`] where there is something else.
    pub(crate) fn open_file(&self, key: &str) -> Result<Option<File>, LakeError> {
        let path = self.path(key);
        // A pipe without a writer would never end, a device not either.
        if let Some(found) = self.other_than_file(key) {
            return Err(LakeError::NotAFile { path, found });
        }
        match self.backend.open(key) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(source) => Err(LakeError::Read { path, source }),
        }
    }

    /// The whole of [`Self::open_file`].
    pub(crate) fn read_file(&self, key: &str) -> Result<Option<Bytes>, LakeError> {
        let Some(mut file) = self.open_file(key)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|source| LakeError::Read { path: self.path(key), source })?;
        Ok(Some(bytes.into()))
    }

    /// The kind of an entry that is no regular file.
    fn other_than_file(&self, key: &str) -> Option<&'static str> {
        let kind = match self.backend.entry_kind(key).ok()? {
            EntryKind::Link => folder::kind_behind_links(&self.path(key)).ok()?,
            kind => kind,
        };
        match kind {
            EntryKind::File(_) | EntryKind::Link => None,
            EntryKind::Folder => Some("a folder"),
            EntryKind::Other(kind) => Some(kind),
        }
    }

    /// Whether anything has that name, whatever it is.
    pub(crate) fn is_there(&self, key: &str) -> bool {
        self.backend.entry_kind(key).is_ok()
    }

    /// Names of the finished folders (`true`) or files in a folder, sorted; none where there is no folder. A link to
    /// a folder is none of both.
    pub(crate) fn list_names(&self, key: &str, folders: bool) -> Result<Vec<String>, LakeError> {
        let entries = self.entries(key)?.into_iter();
        let finished = entries.filter(|(name, is_folder)| *is_folder == folders && !name.starts_with('.'));
        Ok(finished.map(|(name, _)| name).collect())
    }

    fn entries(&self, key: &str) -> Result<BTreeSet<(String, bool)>, LakeError> {
        match self.backend.entries(key) {
            // Something else of that name would read as an empty folder.
            Err(error) if is_absent(&error) && !self.is_there(key) => Ok(BTreeSet::new()),
            done => done.map_err(|source| LakeError::List { path: self.path(key), source }),
        }
    }

    /// When the file was last written; only ever used to order what nothing else orders.
    pub(crate) fn modified_at(&self, key: &str) -> Option<SystemTime> {
        self.stamp(key).map(|stamp| stamp.modified_at)
    }

    /// What tells the file from others that had its name.
    pub(crate) fn stamp(&self, key: &str) -> Option<FileStamp> {
        self.backend.stamp(key).ok()
    }

    /// Makes the root, and its name durable.
    pub(crate) fn create_root(&self) -> Result<(), LakeError> {
        if self.bucket().is_some() {
            return Ok(());
        }
        let missing: Vec<_> =
            self.root.ancestors().take_while(|p| !p.as_os_str().is_empty() && !p.exists()).collect();
        self.create_folder("")?;
        for folder in missing {
            let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let synced = self.check_fault("sync_folder", "").and_then(|()| folder::sync_folder(parent));
            synced.map_err(|source| LakeError::SyncFolder { path: parent.to_path_buf(), source })?;
        }
        Ok(())
    }

    /// The lock file, opened to read and write, made where there is none.
    pub(crate) fn open_lock(&self, key: &str) -> Result<File, LakeError> {
        self.with_room(|| {
            let path = self.path(key);
            if let Some(found) = self.other_than_file(key) {
                return Err(LakeError::NotAFile { path, found });
            }
            let open = || File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let opened = self.check_fault("open", key).and_then(|()| open());
            let file = opened.map_err(|source| LakeError::Lock { path: path.clone(), source })?;
            self.sync_above(key)?;
            Ok(file)
        })
    }

    /// Puts one file in place, over an older one of that name. A small one has the reserve where the disk is full.
    pub(crate) fn put_file(&self, kind: &str, key: &str, bytes: &[u8]) -> Result<(), LakeError> {
        match bytes.len() <= SMALL {
            true => self.with_room(|| self.try_put_file(kind, key, bytes)),
            false => self.try_put_file(kind, key, bytes),
        }
    }

    pub(crate) fn try_put_file(&self, kind: &str, key: &str, bytes: &[u8]) -> Result<(), LakeError> {
        self.put_file_by(kind, key, |file| file.write_all(bytes))
    }

    /// Puts one file in place, whatever `fill` writes.
    pub(crate) fn put_file_by(
        &self,
        kind: &str,
        key: &str,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), LakeError> {
        let temporary = temporary_key(key);
        self.create_folder(parent_key(key))?;
        self.record_step(kind, "file");
        self.write_synced_by(&temporary, fill)?;
        self.record_step(kind, "rename");
        self.rename(&temporary, key)?;
        self.record_step(kind, "parent");
        self.sync_above(key)?;
        self.commit(kind, key)?;
        self.record_step(kind, "done");
        Ok(())
    }

    /// Puts files into a folder and then, which makes them be there, the manifest, as an object store would.
    /// What is there under that name already the caller found to be damaged or without manifest: it goes.
    pub(crate) fn put_folder(&self, draft: &FolderDraft) -> Result<(), LakeError> {
        self.put_folder_with(draft, &HardLinks::new())
    }

    /// As [`Self::put_folder`], but the files that `links` names become further names of files that are there.
    pub(crate) fn put_folder_with(&self, draft: &FolderDraft, links: &HardLinks) -> Result<(), LakeError> {
        let (kind, target) = (draft.kind, draft.target.as_str());
        let manifest = join_keys(target, draft.manifest.0);
        self.retract_manifest(kind, target, &manifest)?;
        self.begin_folder(draft, &manifest)?;
        self.clear_for(draft)?;
        for (name, content) in &draft.files {
            let key = join_keys(target, name);
            if links.get(name).is_some_and(|from| self.put_link(kind, from, &key)) {
                continue;
            }
            self.record_step(kind, "file");
            self.write_synced_by(&temporary_key(&key), |file| content.write_to(file))?;
            self.record_step(kind, "rename");
            self.rename(&temporary_key(&key), &key)?;
        }
        self.record_step(kind, "folder");
        for folder in draft.folders() {
            self.sync_folder(&join_keys(target, folder))?;
        }
        self.sync_folder(target)?;
        self.record_step(kind, "manifest");
        self.rename(&temporary_key(&manifest), &manifest)?;
        self.record_step(kind, "parent");
        self.sync_above(&manifest)?;
        self.commit(kind, &manifest)?;
        self.record_step(kind, "done");
        Ok(())
    }

    /// Puts files in place, each over an older one, and then the manifest that names them. An older manifest goes
    /// first: it would name what is being replaced.
    pub(crate) fn put_files(&self, draft: &FilesDraft) -> Result<(), LakeError> {
        let (manifest, text) = &draft.manifest;
        self.retract_manifest(draft.kind, parent_key(manifest), manifest)?;
        for (key, content) in &draft.files {
            match content {
                FileContent::Bytes(bytes) => self.put_file(draft.kind, key, bytes)?,
                FileContent::File(_) => self.put_file_by(draft.kind, key, |file| content.write_to(file))?,
            }
        }
        self.put_file(draft.kind, manifest, text)
    }

    /// Takes back a manifest whose files are damaged or to be replaced, before any of them is touched.
    pub(crate) fn retract_manifest(&self, kind: &str, target: &str, manifest: &str) -> Result<(), LakeError> {
        if !self.is_there(manifest) {
            return Ok(());
        }
        self.record_step(kind, "retract");
        self.remove_tree(manifest)?;
        self.sync_folder(target)
    }

    /// Writes the manifest under its temporary name, before anything else: so a half-filled folder says that
    /// it is one, and is not taken for one that lost its manifest.
    fn begin_folder(&self, draft: &FolderDraft, manifest: &str) -> Result<(), LakeError> {
        self.record_step(draft.kind, "begin");
        self.create_folder(&draft.target)?;
        self.write_synced(&temporary_key(manifest), &draft.manifest.1)?;
        self.sync_folder(&draft.target)
    }

    /// Removes what the manifest will not name, left by an interrupted commit of other content, and makes the
    /// subfolders.
    fn clear_for(&self, draft: &FolderDraft) -> Result<(), LakeError> {
        let folders = draft.folders();
        let mut keep: BTreeSet<_> = draft.files.iter().map(|(name, _)| (name.clone(), false)).collect();
        keep.insert((temporary_key(draft.manifest.0), false));
        keep.extend(folders.iter().map(|folder| ((*folder).to_owned(), true)));
        for folder in [""].into_iter().chain(folders) {
            let key = join_keys(&draft.target, folder);
            self.create_folder(&key)?;
            for (name, is_folder) in self.entries(&key)? {
                if !keep.contains(&(join_keys(folder, &name), is_folder)) {
                    self.remove_tree(&join_keys(&key, &name))?;
                }
            }
        }
        Ok(())
    }

    /// Whether a commit into this folder is under way or broke off: its manifest is there, but only under the
    /// temporary name.
    pub(crate) fn has_begun(&self, folder: &str, manifest: &str) -> Result<bool, LakeError> {
        let entries = self.entries(folder)?;
        let is_begun = entries.iter().any(|(name, _)| is_temporary_of(name, manifest));
        Ok(is_begun && !entries.contains(&(manifest.to_owned(), false)))
    }

    /// Whether this folder has something in it, but a manifest under neither name: it was not put here, or
    /// lost its manifest.
    pub(crate) fn is_stray(&self, folder: &str, manifest: &str) -> Result<bool, LakeError> {
        let entries = self.entries(folder)?;
        let is_manifest = |name: &str| name == manifest || is_temporary_of(name, manifest);
        Ok(!entries.is_empty() && !entries.iter().any(|(name, _)| is_manifest(name)))
    }

    /// Syncs every folder from the one that holds `key` up to the root: any of them may be new, also from a
    /// run that broke off before it came to this.
    pub(crate) fn sync_above(&self, key: &str) -> Result<(), LakeError> {
        let mut folder = key;
        while !folder.is_empty() {
            folder = parent_key(folder);
            self.sync_folder(folder)?;
        }
        Ok(())
    }

    /// Removes a finished folder. It loses its name first: half removed under its own name, it would still
    /// have a manifest and seem whole.
    pub(crate) fn discard_folder(&self, kind: &str, key: &str) -> Result<(), LakeError> {
        let temporary = temporary_key(key);
        self.remove_tree(&temporary)?;
        self.record_step(kind, "rename");
        self.with_room(|| self.rename(key, &temporary))?;
        self.sync_folder(parent_key(key))?;
        self.record_step(kind, "remove");
        self.remove_tree(&temporary)?;
        self.commit(kind, key)
    }

    /// Whether a folder has work in progress in it.
    pub(crate) fn has_leftovers(&self, key: &str) -> Result<bool, LakeError> {
        Ok(self.entries(key)?.iter().any(|(name, _)| name.starts_with(TEMPORARY)))
    }

    /// Removes work in progress from a folder, not from those inside it; says how many.
    pub(crate) fn sweep_temporaries(&self, key: &str) -> Result<u64, LakeError> {
        let mut swept = 0;
        for (name, _) in self.entries(key)? {
            if name.starts_with(TEMPORARY) {
                self.remove_tree(&join_keys(key, &name))?;
                swept += 1;
            }
        }
        Ok(swept)
    }
}

pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
