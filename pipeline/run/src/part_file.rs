//! Files that a process leaves for another, on another machine perhaps: whole or not at all, and known by their digest.

use std::fs::{File, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fdna_lake::{ObjectFolder, sha256};
use serde::{Deserialize, Serialize};

use crate::exit::{ExitCode, error_with_code};

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartFile {
    pub(crate) bytes: u64,
    sha256: String,
}

impl PartFile {
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: sha256(bytes) }
    }

    /// The bytes, if they are those that were written.
    pub(crate) fn read_checked(&self, path: &Path) -> Result<Vec<u8>, String> {
        let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
        // One byte more shows that there is one, whatever follows.
        let (mut bytes, limit) = (Vec::new(), self.bytes.saturating_add(1));
        let read = file.take(limit).read_to_end(&mut bytes);
        read.map_err(|error| format!("cannot be read: {error}"))?;
        if bytes.len() as u64 != self.bytes || sha256(&bytes) != self.sha256 {
            return Err("is not what it was when it was written: it is damaged or of another run".to_owned());
        }
        Ok(bytes)
    }
}

/// Does work that leaves files in a folder, which may be in an object store: then in one of this machine, whose files are put
/// there.
///
/// # Errors
/// The work's own, or the files cannot be put there.
pub fn fill_folder<T>(into: &Path, work: impl FnOnce(&Path) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let cannot = |error: std::io::Error| {
        let what = format!("cannot write into `{}`: {error}", into.display());
        error_with_code(ExitCode::CannotWrite, what)
    };
    let Some(there) = ObjectFolder::at(into).map_err(cannot)? else { return work(into) };
    let here = tempfile::tempdir().map_err(cannot)?;
    let folder = here.path().join("files");
    let done = work(&folder)?;
    there.upload(&folder).map_err(cannot)?;
    Ok(done)
}

/// Not the folders above it: where those have gone, nobody waits for the shard any more.
pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    match std::fs::create_dir(folder) {
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) => {
            let what = format!("cannot make the folder `{}`: {error}", folder.display());
            Err(error_with_code(ExitCode::CannotWrite, what))
        }
        Ok(()) => Ok(()),
    }
}

/// Writes a file under a name that nobody else has, and renames it.
pub(crate) fn put_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Whoever reads it may be another user.
    let readable = Permissions::from_mode(0o644);
    let put = || {
        let mut file = tempfile::Builder::new().prefix(".tmp-").permissions(readable).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        std::fs::rename(file.path(), path)
    };
    let failed =
        |error| error_with_code(ExitCode::CannotWrite, format!("cannot write `{}`: {error}", path.display()));
    put().map_err(failed)
}
