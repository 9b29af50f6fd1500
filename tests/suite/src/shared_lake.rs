//! Lakes that many tests only read. Each test is a process of its own, so that a lake made in memory of one is made again
//! by the next: these are made once for a build of the program, and lie beside it until the next build.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use crate::{TestLake, copy_folder};

impl TestLake {
    /// A lake on which the program ran with these arguments, one run each. It is shared: read it, or change its
    /// [`copy`](Self::copy).
    ///
    /// # Panics
    /// A run fails, or the folder cannot be written.
    #[must_use]
    pub fn shared(program: &str, runs: &[&[&str]]) -> Self {
        let folder = made(Path::new(program), runs).expect("a shared lake is made");
        Self::over(program, folder)
    }
}

fn made(program: &Path, runs: &[&[&str]]) -> io::Result<PathBuf> {
    let build = digest(|hash| hash_files(program, hash))?;
    // Beside the program, so that tests of two profiles do not remove one another's.
    let lakes = program.parent().unwrap_or(program).join("shared-lakes");
    let folder = lakes.join(&build).join(digest(|hash| hash_runs(runs, hash))?);
    fs::create_dir_all(&folder)?;
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    let lake = folder.join("made");
    if !lake.exists() {
        remove_others(&lakes, &build)?;
        remove_begun(&folder)?;
        let begun = tempfile::Builder::new().prefix("begun-").tempdir_in(&folder)?.keep();
        let bench = TestLake::over(program, begun.clone());
        if let Some((last, before)) = runs.split_last() {
            // Lakes that begin alike are made alike once.
            if !before.is_empty() {
                copy_folder(&made(program, before)?, &begun)?;
            }
            bench.ok(last);
        }
        fs::rename(begun, &lake)?;
    }
    Ok(lake)
}

/// Lakes of other builds are never read again.
fn remove_others(lakes: &Path, build: &str) -> io::Result<()> {
    for entry in fs::read_dir(lakes)? {
        let path = entry?.path();
        if path.file_name().is_none_or(|name| name != build) {
            fs::remove_dir_all(path).or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
        }
    }
    Ok(())
}

/// What a maker that was killed left behind.
fn remove_begun(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

fn digest(of: impl FnOnce(&mut DefaultHasher) -> io::Result<()>) -> io::Result<String> {
    let mut hash = DefaultHasher::new();
    of(&mut hash)?;
    Ok(format!("{:016x}", hash.finish()))
}

/// Arguments, and the files that they name: alone, or as `SOURCE=PATH`.
fn hash_runs(runs: &[&[&str]], hash: &mut DefaultHasher) -> io::Result<()> {
    runs.hash(hash);
    for argument in runs.iter().copied().flatten() {
        let path = Path::new(argument.split_once('=').map_or(*argument, |(_, path)| path));
        if path.is_absolute() {
            hash_files(path, hash)?;
        }
    }
    Ok(())
}

/// Name, size and time of change of a file, or of all files in a folder.
fn hash_files(path: &Path, hash: &mut DefaultHasher) -> io::Result<()> {
    let about = fs::metadata(path)?;
    path.hash(hash);
    if about.is_dir() {
        let mut inside = fs::read_dir(path)?.map(|e| e.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
        inside.sort();
        return inside.iter().try_for_each(|path| hash_files(path, hash));
    }
    (about.len(), about.modified()?).hash(hash);
    Ok(())
}
