//! What keeps the files of a lake: a folder of this machine, or a bucket of an object store.
//!
//! Keys are paths from the root with `/`. What a commit consists of, and in which order, is the same for both and is
//! in `store.rs`; here are the single operations.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

/// What an entry is, itself and not what a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Folder,
    /// A regular file, and its size in bytes.
    File(u64),
    Link,
    /// Anything else, in words.
    Other(&'static str),
}

/// What tells a file from what was there before under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// When it was last written.
    pub modified_at: SystemTime,
    /// Its size.
    pub bytes: u64,
}

pub(crate) trait Backend: fmt::Debug + Send + Sync {
    /// The entry, or an error of the kind `NotFound`.
    fn entry_kind(&self, key: &str) -> io::Result<EntryKind>;

    /// A file, which must be one.
    fn open(&self, key: &str) -> io::Result<File>;

    /// Names in a folder, each with whether it is a folder.
    fn entries(&self, key: &str) -> io::Result<BTreeSet<(String, bool)>>;

    /// Of a regular file; anything else is an error.
    fn stamp(&self, key: &str) -> io::Result<FileStamp>;

    /// When a name in a folder was last added or removed, or something after that.
    fn folder_changed_at(&self, key: &str) -> io::Result<SystemTime>;

    fn create_folder(&self, key: &str) -> io::Result<()>;

    /// A new file to be written, in place of any of that name.
    fn create(&self, key: &str) -> io::Result<File>;

    /// Ends the writing of a file: from here on its bytes outlive a power cut, once [`Self::commit`] was called.
    fn finish(&self, key: &str, file: File) -> io::Result<()>;

    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Gives a file a second name.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;

    /// Makes the names in a folder outlive a power cut.
    fn sync_folder(&self, key: &str) -> io::Result<()>;

    /// Removes a file, or a folder with everything in it, after `may_remove` of each was asked.
    fn remove(&self, key: &str, may_remove: &dyn Fn(&str) -> io::Result<()>) -> io::Result<()>;

    /// Where programs that open files by themselves find this one.
    fn local_path(&self, key: &str) -> io::Result<PathBuf>;

    /// Called at the end of what belongs together, with what it was.
    fn commit(&self, _kind: &str) -> io::Result<()> {
        Ok(())
    }

    /// A file of that SHA-256, whatever its key: a process of the same run may have made it, and not committed it yet.
    fn open_content(&self, _sha256: &str) -> Option<File> {
        None
    }

    /// Forgets the copy of a file whose bytes are wrong; says whether there is another to be read instead.
    fn drop_copy(&self, _key: &str) -> bool {
        false
    }
}
