//! Copies of files on this machine, each under its SHA-256: made once, whoever asks, and bounded.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempPath};

use super::clock;
use crate::digest::{sha256, sha256_of_file};

/// A copy that was used since then is kept, however many there are.
const IN_USE: Duration = Duration::from_secs(15 * 60);

/// MiB that copies may take, where `FIGHTDNA_CACHE_MIB` says nothing.
const BOUND_MIB: u64 = 20 << 10;

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(super) fn new(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(folder.join("new"))?;
        Ok(Self { folder })
    }

    /// The folder that the environment names.
    pub(super) fn by_environment() -> io::Result<Self> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = set("FIGHTDNA_CACHE_DIR")
            .or_else(|| set("CACHE_DIRECTORY"))
            .or_else(|| Some(set("XDG_CACHE_HOME")?.join("fightdna")))
            .or_else(|| Some(set("HOME")?.join(".cache/fightdna")))
            .unwrap_or_else(|| std::env::temp_dir().join("fightdna-cache"));
        Self::new(folder.join("objects"))
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256.get(..2).unwrap_or("00")).join(sha256)
    }

    /// A new file, which is not in the cache yet.
    pub(super) fn create(&self) -> io::Result<(File, TempPath)> {
        Ok(NamedTempFile::new_in(self.folder.join("new"))?.into_parts())
    }

    /// Takes a file in; gives its digest and size.
    pub(super) fn insert(&self, file: &File, path: TempPath) -> io::Result<(String, u64)> {
        let (sha256, bytes) = (sha256_of_file(file)?, file.metadata()?.len());
        let to = self.path(&sha256);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        path.persist(to).map_err(|error| error.error)?;
        Ok((sha256, bytes))
    }

    /// Takes bytes in, if they are the expected ones.
    pub(super) fn insert_checked(&self, file: &File, path: TempPath, expected: &str) -> io::Result<()> {
        let found = sha256_of_file(file)?;
        if found != expected {
            let why =
                format!("the object store gave other bytes than were put: SHA-256 {found}, not {expected}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.insert(file, path).map(drop)
    }

    /// The copy, if it is there in full.
    pub(super) fn open(&self, sha256: &str, bytes: u64) -> Option<(File, PathBuf)> {
        let path = self.path(sha256);
        let file = File::open(&path).ok()?;
        (file.metadata().ok()?.len() == bytes).then_some(())?;
        // Whoever may not set it has a cache that others keep.
        let _ = file.set_modified(clock::now());
        Some((file, path))
    }

    /// The copy, of whatever size it is.
    pub(super) fn open_any(&self, sha256: &str) -> Option<File> {
        let file = File::open(self.path(sha256)).ok()?;
        let _ = file.set_modified(clock::now());
        Some(file)
    }

    /// What this machine knew last of the bucket at an address.
    pub(super) fn known_state(&self, address: &str) -> Option<Vec<u8>> {
        fs::read(self.state_path(address)).ok()
    }

    pub(super) fn keep_state(&self, address: &str, text: &[u8]) -> io::Result<()> {
        let (mut file, path) = self.create()?;
        file.write_all(text)?;
        path.persist(self.state_path(address)).map_err(|error| error.error)
    }

    fn state_path(&self, address: &str) -> PathBuf {
        self.folder.join(format!("{}.json", sha256(address.as_bytes())))
    }

    pub(super) fn remove(&self, sha256: &str) -> bool {
        fs::remove_file(self.path(sha256)).is_ok()
    }

    /// A part of a copy, as a file of its own outside of the cache.
    pub(super) fn copy_part(&self, from: &mut File, offset: u64, bytes: u64) -> io::Result<(File, TempPath)> {
        let (mut file, path) = self.create()?;
        from.seek(io::SeekFrom::Start(offset))?;
        io::copy(&mut from.take(bytes), &mut file)?;
        Ok((file, path))
    }

    /// Removes copies that were not used for the longest time, until the rest is within the bound.
    pub(super) fn prune(&self) {
        let set = std::env::var("FIGHTDNA_CACHE_MIB").ok().and_then(|mib| mib.parse().ok());
        self.prune_to(set.unwrap_or(BOUND_MIB) << 20, clock::now());
    }

    fn prune_to(&self, bound: u64, now: SystemTime) {
        let mut copies = Vec::new();
        for folder in folder_entries(&self.folder).iter().filter(|path| path.is_dir()) {
            for path in folder_entries(folder) {
                if let Ok(found) = fs::metadata(&path)
                    && let Ok(used) = found.modified()
                {
                    copies.push((used, found.len(), path));
                }
            }
        }
        let mut all: u64 = copies.iter().map(|(_, bytes, _)| bytes).sum();
        copies.sort_unstable();
        for (used, bytes, path) in copies {
            if all <= bound || now.duration_since(used).is_ok_and(|age| age < IN_USE) {
                return;
            }
            if fs::remove_file(path).is_ok() {
                all -= bytes;
            }
        }
    }
}

fn folder_entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn copies_that_were_not_used_for_long_go_first_and_none_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned()).unwrap();
        let ids: Vec<String> = (0..4)
            .map(|n| {
                let (mut file, path) = cache.create().unwrap();
                file.write_all(&[n; 100]).unwrap();
                let (sha256, bytes) = cache.insert(&file, path).unwrap();
                assert_eq!(bytes, 100);
                let age = Duration::from_secs(86_400 * (4 - u64::from(n)));
                file.set_modified(clock::now() - age).unwrap();
                sha256
            })
            .collect();
        let there = || ids.iter().map(|id| cache.path(id).exists()).collect::<Vec<_>>();
        assert!(cache.open(&ids[0], 100).is_some(), "used just now");
        assert!(cache.open(&ids[1], 99).is_none());
        cache.prune_to(250, clock::now());
        assert_eq!(there(), [true, false, false, true]);
        cache.prune_to(0, clock::now());
        assert_eq!(there(), [true, false, false, false]);
    }
}
