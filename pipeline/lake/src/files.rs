//! Paths of the Parquet files of tables, for readers that bring an engine of their own.

use std::path::{Path, PathBuf};

use crate::file_content::FileContent;
use crate::manifest::TableEntry;
use crate::store::LakeStore;
use crate::{Lake, LakeError, PanelManifest, SnapshotManifest, StageOutput};

/// The Parquet file of a table, whose bytes are those that its manifest names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    /// Name of the table.
    pub table: String,
    /// The file.
    pub path: PathBuf,
    /// Version of the table's contract that it was written under.
    pub contract_version: u32,
}

/// Puts a file in place that is no part of any lake, such as what a monitor reads: whole or not at all, and durable.
///
/// # Errors
/// It cannot be written.
pub fn put_file(path: &Path, bytes: &[u8]) -> Result<(), LakeError> {
    put_file_content(path, &FileContent::Bytes(bytes.to_vec().into()))
}

pub(crate) fn put_file_content(path: &Path, content: &FileContent) -> Result<(), LakeError> {
    let (folder, name) = split_name(path)?;
    LakeStore::new(folder.to_path_buf()).put_file_by("file", name, |file| content.write_to(file))
}

/// The folder of a file, and its name in it.
pub(crate) fn split_name(path: &Path) -> Result<(&Path, &str), LakeError> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| LakeError::Name {
        what: "a file to write",
        name: path.display().to_string(),
        why: "it has no name that is text",
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((folder, name))
}

impl Lake {
    /// The files of a snapshot's tables, each compared with its digest.
    ///
    /// # Errors
    /// [`LakeError::Gone`], [`LakeError::Corrupt`], or a file cannot be read.
    pub fn snapshot_files(&self, snapshot: &SnapshotManifest) -> Result<Vec<CheckedFile>, LakeError> {
        self.checked_files(&snapshot.tables, &snapshot.expected_files())
    }

    /// The files of a stage output's tables, each compared with its digest.
    ///
    /// # Errors
    /// As for [`Self::snapshot_files`].
    pub fn stage_files(&self, output: &StageOutput) -> Result<Vec<CheckedFile>, LakeError> {
        self.checked_files(&output.tables, &output.expected_files())
    }

    /// The files of a panel's tables, each compared with its digest.
    ///
    /// # Errors
    /// As for [`Self::snapshot_files`].
    pub fn panel_files(&self, panel: &PanelManifest) -> Result<Vec<CheckedFile>, LakeError> {
        self.checked_files(&panel.tables, &panel.expected_files())
    }

    /// `expected` has the key and digest of each table, in the same order.
    fn checked_files(
        &self,
        tables: &[TableEntry],
        expected: &[(String, &str)],
    ) -> Result<Vec<CheckedFile>, LakeError> {
        let checked = |(table, (key, digest)): (&TableEntry, &(String, &str))| {
            self.open_checked(key, digest)?;
            let path = self.store.backend.local_path(key);
            let path = path.map_err(|source| LakeError::Read { path: self.store.path(key), source })?;
            let contract_version = table.contract_version;
            Ok(CheckedFile { table: table.name.clone(), path, contract_version })
        };
        tables.iter().zip(expected).map(checked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{draft, lake, noon};

    #[test]
    fn the_files_of_a_snapshot_are_told_only_if_they_are_whole() {
        let (_folder, lake) = lake();
        let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
        let files = lake.snapshot_files(&made).unwrap();
        let names: Vec<&str> = files.iter().map(|f| f.table.as_str()).collect();
        assert_eq!(names, made.tables.iter().map(|t| t.name.as_str()).collect::<Vec<_>>());
        for (file, entry) in files.iter().zip(&made.tables) {
            assert_eq!(std::fs::metadata(&file.path).unwrap().len(), entry.bytes, "{}", file.table);
        }
        let mut bytes = std::fs::read(&files[0].path).unwrap();
        bytes[9] ^= 1;
        std::fs::write(&files[0].path, bytes).unwrap();
        assert!(matches!(lake.snapshot_files(&made), Err(LakeError::Corrupt { .. })));
    }
}
