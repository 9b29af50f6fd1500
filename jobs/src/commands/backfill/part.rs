//! Panels that are written elsewhere than in the lake that they are made of.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};
use tempfile::TempDir;

/// A folder laid out as a lake with nothing but panels. One that is not there yet is filled under a name of its own and then
/// renamed: it is there whole or not at all, however many processes make it.
pub(super) struct PanelPart {
    lake: Lake,
    folder: PathBuf,
    /// Until it has its name.
    unfinished: Option<TempDir>,
}

impl PanelPart {
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let folder = std::path::absolute(folder)?;
        if folder.exists() {
            return Ok(Self { lake: Lake::open(&folder), folder, unfinished: None });
        }
        let parent = folder.parent().unwrap_or(Path::new("/"));
        // Whoever takes the panels over may be another user.
        let readable = Permissions::from_mode(0o755);
        let unfinished = tempfile::Builder::new().prefix(".tmp-").permissions(readable).tempdir_in(parent);
        let unfinished = unfinished.map_err(|error| {
            let what = format!("cannot make a folder in `{}`: {error}", parent.display());
            error_with_code(ExitCode::CannotWrite, what)
        })?;
        Ok(Self { lake: Lake::open(unfinished.path()), folder, unfinished: Some(unfinished) })
    }

    pub(super) fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Gives the folder its name. If another process was faster, its panels stay, which are the same.
    pub(super) fn finish(self) -> anyhow::Result<PathBuf> {
        let Self { folder, unfinished, .. } = self;
        if let Some(unfinished) = unfinished {
            match std::fs::rename(unfinished.path(), &folder) {
                Err(error)
                    if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {}
                renamed => {
                    renamed
                        .with_context(|| format!("cannot give the folder `{}` its name", folder.display()))?;
                }
            }
        }
        Ok(folder)
    }
}
