//! A lake in a folder of this machine: each operation is a single call of the operating system or close to it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::backend::{Backend, EntryKind, FileStamp};
use crate::keys::join_keys;

#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    fn path(&self, key: &str) -> PathBuf {
        if key.is_empty() { self.root.clone() } else { self.root.join(key) }
    }
}

impl Backend for Folder {
    fn entry_kind(&self, key: &str) -> io::Result<EntryKind> {
        Ok(kind_of(&fs::symlink_metadata(self.path(key))?))
    }

    fn open(&self, key: &str) -> io::Result<File> {
        File::open(self.path(key))
    }

    fn entries(&self, key: &str) -> io::Result<BTreeSet<(String, bool)>> {
        let read = fs::read_dir(self.path(key))?.map(|entry| {
            let entry = entry?;
            let is_folder = entry.file_type()?.is_dir();
            Ok((entry.file_name().to_string_lossy().into_owned(), is_folder))
        });
        read.collect()
    }

    fn stamp(&self, key: &str) -> io::Result<FileStamp> {
        let found = fs::metadata(self.path(key))?;
        if !found.is_file() {
            return Err(io::Error::other("no regular file"));
        }
        Ok(FileStamp { modified_at: found.modified()?, bytes: found.len() })
    }

    fn folder_changed_at(&self, key: &str) -> io::Result<SystemTime> {
        fs::metadata(self.path(key))?.modified()
    }

    fn create_folder(&self, key: &str) -> io::Result<()> {
        fs::create_dir_all(self.path(key))
    }

    fn create(&self, key: &str) -> io::Result<File> {
        File::create(self.path(key))
    }

    fn finish(&self, _key: &str, file: File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path(from), self.path(to))
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.path(from), self.path(to))
    }

    fn sync_folder(&self, key: &str) -> io::Result<()> {
        sync_folder(&self.path(key))
    }

    fn remove(&self, key: &str, may_remove: &dyn Fn(&str) -> io::Result<()>) -> io::Result<()> {
        let path = self.path(key);
        if !fs::symlink_metadata(&path)?.is_dir() {
            may_remove(key)?;
            return fs::remove_file(&path);
        }
        for entry in fs::read_dir(&path)? {
            // A name that is no text is not ours; the folder goes all the same.
            match entry?.file_name().to_str() {
                Some(name) => self.remove(&join_keys(key, name), may_remove)?,
                None => return fs::remove_dir_all(&path),
            }
        }
        may_remove(key)?;
        fs::remove_dir(&path)
    }

    fn local_path(&self, key: &str) -> io::Result<PathBuf> {
        Ok(self.path(key))
    }
}

/// What there is at a path, at the end of all links.
pub(crate) fn kind_behind_links(path: &Path) -> io::Result<EntryKind> {
    Ok(kind_of(&fs::metadata(path)?))
}

fn kind_of(found: &fs::Metadata) -> EntryKind {
    let kind = found.file_type();
    match kind {
        _ if kind.is_file() => EntryKind::File(found.len()),
        _ if kind.is_dir() => EntryKind::Folder,
        _ if kind.is_symlink() => EntryKind::Link,
        _ if kind.is_fifo() => EntryKind::Other("a named pipe"),
        _ if kind.is_socket() => EntryKind::Other("a socket"),
        _ => EntryKind::Other("a device"),
    }
}

pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
