//! The folder of an export, and what brings it up to date with a lake.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use arrow::datatypes::Schema;
use chrono::{DateTime, Utc};
use fdna_lake::{Lake, LakeError, Publication, PublicationKind, SnapshotManifest, put_file};

use crate::columns::ExportedColumn;
use crate::croissant::{DatasetDescription, croissant_document};
use crate::delta::delta_commit;
use crate::versions::{ExportedSchema, ExportedTable, ExportedVersion, FORMAT, VersionHistory};

/// Folder of the versions.
const VERSIONS: &str = "_snapshots";

/// Name of the document of the newest version.
const CROISSANT: &str = "croissant.json";

/// Why an export stopped. What it had put into the folder by then is whole, and the next goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The lake cannot be read, or the folder not be written.
    #[error(transparent)]
    Lake(#[from] LakeError),
    /// The lake's own folder is written by the lake alone.
    #[error("cannot export to `{}`: it is in the lake `{}`; export to a folder outside of it", folder.display(), lake.display())]
    InLake { folder: PathBuf, lake: PathBuf },
    /// The lake never published the newest version of the folder.
    #[error(
        "cannot export to `{}`: snapshot {snapshot}, its newest version, was never current in this lake; export to an \
         empty folder",
        folder.display()
    )]
    OtherLake { folder: PathBuf, snapshot: String },
    /// Another program has added a version.
    #[error(
        "cannot go on with `{}`: it is no commit of this program; a table of an export takes none of others, so \
         export to an empty folder",
        path.display()
    )]
    OtherWriter { path: PathBuf },
    /// A file of the folder cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// A file of versions is not what this program writes.
    #[error("cannot parse `{}`: export to an empty folder", path.display())]
    Parse { path: PathBuf, source: serde_json::Error },
    /// A column has a type that no contract has.
    #[error("cannot export column `{column}` of table `{table}`: its type is none of those of contracts")]
    Type { table: String, column: String },
}

/// What an export did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportedFiles {
    /// Snapshots that became versions, in their order, each with the version.
    pub added: Vec<(u64, String)>,
    /// Commits that were written.
    pub commits: u64,
    /// Versions that the folder has now.
    pub versions: u64,
}

/// A folder with exported tables.
#[derive(Clone, Debug)]
pub struct ExportFolder {
    root: PathBuf,
}

impl ExportFolder {
    /// The export in this folder, which may be empty or not be there.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Adds what became current since the last export and is still in the lake, and completes what an earlier export
    /// began. `product` names the tables as a whole.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn update(&self, lake: &Lake, product: &str) -> Result<ExportedFiles, ExportError> {
        self.check_outside(lake)?;
        let mut history = self.read_versions()?;
        let mut done = ExportedFiles::default();
        for publication in self.find_new(lake, &history)? {
            if history.newest().is_some_and(|newest| newest.snapshot == publication.snapshot) {
                continue;
            }
            let manifest = match lake.snapshot(&publication.snapshot) {
                Err(LakeError::NoSnapshot { .. }) => continue,
                found => found?,
            };
            let version = self.add_version(lake, &manifest, &publication, &history)?;
            done.added.push((version.version, version.snapshot.to_string()));
            history.push(version);
        }
        for table in history.table_names() {
            done.commits += self.complete_log(&history, table)?;
        }
        self.put_document(&history, product)?;
        done.versions = history.versions().len() as u64;
        Ok(done)
    }

    /// Removes files that no version needs that was current at or after this time; says how many. Their versions can no longer
    /// be read, and the log goes on as it is.
    ///
    /// # Errors
    /// A file cannot be removed, or the versions not be read.
    pub fn remove_before(&self, since: DateTime<Utc>) -> Result<u64, ExportError> {
        let history = self.read_versions()?;
        let versions = history.versions();
        // The one that was current at that time became so before it.
        let later = versions.iter().position(|version| version.published_at >= since);
        let kept = later.unwrap_or(versions.len()).saturating_sub(1);
        let path = |table: &ExportedTable| self.root.join(&table.name).join(table.file_name());
        let paths = |versions: &[ExportedVersion]| -> BTreeSet<PathBuf> {
            versions.iter().flat_map(|version| &version.tables).map(path).collect()
        };
        let mut removed = 0;
        for path in paths(&versions[..kept]).difference(&paths(&versions[kept..])) {
            match std::fs::remove_file(path) {
                Ok(()) => removed += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(LakeError::Remove { path: path.clone(), source }.into()),
            }
        }
        Ok(removed)
    }

    fn check_outside(&self, lake: &Lake) -> Result<(), ExportError> {
        let Ok(inside) = lake.root().canonicalize() else { return Ok(()) };
        // The folder may not be there yet, but some folder above it is.
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        let there = absolute.ancestors().find_map(|folder| folder.canonicalize().ok());
        match there.is_some_and(|there| there.starts_with(&inside)) {
            true => Err(ExportError::InLake { folder: self.root.clone(), lake: lake.root().to_path_buf() }),
            false => Ok(()),
        }
    }

    /// The publications after the newest version, up to the one that is current: the log is ahead of the pointer where
    /// a run broke off.
    fn find_new(&self, lake: &Lake, history: &VersionHistory) -> Result<Vec<Publication>, ExportError> {
        let Some(current) = lake.current_snapshot()? else { return Ok(Vec::new()) };
        let mut published = lake.publications()?.history;
        match published.iter().rposition(|publication| publication.snapshot == current) {
            Some(last) => published.truncate(last + 1),
            // A lake that is older than its log.
            None => published.push(Publication {
                at: lake.current_moved_at()?.unwrap_or_default(),
                snapshot: current,
                by: String::new(),
                kind: PublicationKind::Found,
                reason: None,
                entry: String::new(),
            }),
        }
        let Some(newest) = history.newest() else { return Ok(published) };
        let is_newest = |publication: &Publication| publication.snapshot == newest.snapshot;
        let at = published
            .iter()
            .rposition(|publication| is_newest(publication) && publication.at == newest.published_at)
            // The log began anew since.
            .or_else(|| published.iter().position(is_newest));
        match at {
            Some(at) => Ok(published.split_off(at + 1)),
            None => Err(ExportError::OtherLake {
                folder: self.root.clone(),
                snapshot: newest.snapshot.to_string(),
            }),
        }
    }

    fn read_versions(&self) -> Result<VersionHistory, ExportError> {
        let mut history = VersionHistory::default();
        for version in 0.. {
            let path = self.version_path(version);
            let text = match std::fs::read(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                read => read.map_err(|source| ExportError::Read { path: path.clone(), source })?,
            };
            history
                .push(serde_json::from_slice(&text).map_err(|source| ExportError::Parse { path, source })?);
        }
        Ok(history)
    }

    /// Copies the tables of a snapshot, and then writes down that it is the next version.
    fn add_version(
        &self,
        lake: &Lake,
        manifest: &SnapshotManifest,
        publication: &Publication,
        history: &VersionHistory,
    ) -> Result<ExportedVersion, ExportError> {
        let newest = history.versions().len().checked_sub(1);
        let tables = manifest.tables.iter().map(|entry| {
            let mut table = ExportedTable {
                name: entry.name.clone(),
                rows: entry.rows,
                bytes: entry.bytes,
                sha256: entry.sha256.clone(),
                schema: None,
            };
            let before = newest.and_then(|newest| history.table_until(&entry.name, newest));
            let to = self.root.join(&entry.name).join(table.file_name());
            if before.is_some_and(|before| before.sha256 == entry.sha256) && to.exists() {
                return Ok(table);
            }
            let exported = lake.export_table(manifest, &entry.name, &to)?;
            let schema = read_schema(&entry.name, &exported)?;
            let known = newest.and_then(|newest| history.schema_at(&entry.name, newest));
            table.schema = (known != Some(&schema)).then_some(schema);
            Ok(table)
        });
        let tables: Result<Vec<_>, ExportError> = tables.collect();
        let version = describe_version(manifest, publication, history.versions().len() as u64, tables?);
        self.put_json(&self.version_path(version.version), &version)?;
        Ok(version)
    }

    /// Writes the commits that the log of a table lacks; says how many. The newest that is there is compared: beyond it, or
    /// in its place, another program may have written.
    fn complete_log(&self, history: &VersionHistory, table: &str) -> Result<u64, ExportError> {
        let n_versions = history.versions().len();
        let log = self.root.join(table).join("_delta_log");
        let path = |version: usize| log.join(format!("{version:020}.json"));
        let beyond = path(n_versions);
        if beyond.exists() {
            return Err(ExportError::OtherWriter { path: beyond });
        }
        let newest = (0..n_versions).rev().find(|version| path(*version).exists());
        if let Some(newest) = newest {
            let path = path(newest);
            let found =
                std::fs::read(&path).map_err(|source| ExportError::Read { path: path.clone(), source })?;
            if delta_commit(history, table, newest).map(String::into_bytes) != Some(found) {
                return Err(ExportError::OtherWriter { path });
            }
        }
        let missing = newest.map_or(0, |newest| newest + 1)..n_versions;
        for version in missing.clone() {
            let commit = delta_commit(history, table, version).unwrap_or_default();
            put_file(&path(version), commit.as_bytes())?;
        }
        Ok(missing.len() as u64)
    }

    fn put_document(&self, history: &VersionHistory, product: &str) -> Result<(), ExportError> {
        let Some(dataset) = DatasetDescription::of_version(history, product) else { return Ok(()) };
        let (path, document) = (self.root.join(CROISSANT), croissant_document(&dataset));
        let text = format!("{document:#}\n");
        if std::fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        Ok(put_file(&path, text.as_bytes())?)
    }

    fn put_json(&self, path: &Path, value: &impl serde::Serialize) -> Result<(), ExportError> {
        let mut text = serde_json::to_vec(value)
            .map_err(|source| LakeError::ToJson { path: path.to_path_buf(), source })?;
        text.push(b'\n');
        Ok(put_file(path, &text)?)
    }

    fn version_path(&self, version: u64) -> PathBuf {
        self.root.join(VERSIONS).join(format!("{version:020}.json"))
    }
}

fn describe_version(
    manifest: &SnapshotManifest,
    publication: &Publication,
    version: u64,
    tables: Vec<ExportedTable>,
) -> ExportedVersion {
    let mut sources: Vec<String> = manifest.captures.iter().map(|capture| capture.source.clone()).collect();
    sources.sort();
    sources.dedup();
    ExportedVersion {
        format: FORMAT,
        version,
        snapshot: manifest.id.clone(),
        published_at: publication.at,
        kind: publication.kind,
        synthetic: manifest.synthetic,
        facts_until: manifest.facts_until,
        licences: manifest.licences.clone(),
        sources,
        tables,
    }
}

/// What a file says of its table.
fn read_schema(table: &str, schema: &Schema) -> Result<ExportedSchema, ExportError> {
    let columns = ExportedColumn::all_of(schema)
        .map_err(|column| ExportError::Type { table: table.to_owned(), column })?;
    let note = |name: &str| schema.metadata().get(&format!("fightdna.{name}")).cloned();
    let key = note("key").unwrap_or_default();
    let key = key.split(',').filter(|column| !column.is_empty()).map(str::to_owned).collect();
    Ok(ExportedSchema { meaning: note("meaning"), grain: note("grain"), key, columns })
}
