//! The files of the multi-sport catalog: those that are compiled in, or those of a folder that is laid out as
//! `schemas/catalog`, so that a source, a model or a route is tried without a build.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use crate::embedded;

/// Name and text of a file; in the folder of a sport its name is that of both: `nhl/nhl_games`.
pub(crate) type NamedText = (&'static str, &'static str);

pub(crate) struct CatalogFiles {
    folder: Option<PathBuf>,
    pub(crate) routes: &'static [NamedText],
    pub(crate) sources: &'static [NamedText],
    pub(crate) seeds: &'static [NamedText],
    pub(crate) models: &'static [NamedText],
    /// Contracts of what models publish.
    pub(crate) tables: &'static [NamedText],
    pub(crate) dna: &'static [NamedText],
    pub(crate) ratings: &'static [NamedText],
    /// Of each sport, and in the folder `dna` of every table of DNA.
    pub(crate) audits: &'static [NamedText],
    /// Settings shared by all DNA.
    pub(crate) engine: &'static str,
}

/// The catalog's files in a folder cannot be used.
#[derive(Debug, Error)]
pub enum CatalogFilesError {
    #[error("cannot read {path}")]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{file} is not valid: {why}")]
    Unusable { file: String, why: String },
    /// The files that are compiled in were asked for before.
    #[error("cannot use the catalog of {0}: another one is in use")]
    InUse(PathBuf),
}

static FILES: OnceLock<CatalogFiles> = OnceLock::new();

/// `nhl/nhl_games` as sport and name.
pub(crate) fn path_parts(path: &'static str) -> (&'static str, &'static str) {
    path.split_once('/').unwrap_or(("", path))
}

/// Those of this process.
pub(crate) fn catalog_files() -> &'static CatalogFiles {
    FILES.get_or_init(|| CatalogFiles {
        folder: None,
        routes: embedded::CATALOG_ROUTES,
        sources: embedded::CATALOG_SOURCES,
        seeds: embedded::CATALOG_SEEDS,
        models: embedded::CATALOG_MODELS,
        tables: embedded::CATALOG_TABLES,
        dna: embedded::CATALOG_DNA,
        ratings: embedded::CATALOG_RATINGS,
        audits: embedded::CATALOG_AUDITS,
        engine: embedded::CATALOG_ENGINE,
    })
}

/// The folder that is used instead of what is compiled in.
#[must_use]
pub fn catalog_folder() -> Option<&'static Path> {
    catalog_files().folder.as_deref()
}

impl CatalogFiles {
    /// Has these files used from now on, for the life of the process.
    pub(crate) fn use_for_process(self) -> Result<(), CatalogFilesError> {
        FILES.set(self).map_err(|files| CatalogFilesError::InUse(files.folder.unwrap_or_default()))
    }

    pub(crate) fn of_folder(folder: &Path) -> Result<Self, CatalogFilesError> {
        let models = folder.join("models");
        Ok(Self {
            folder: Some(folder.to_owned()),
            routes: read_texts(&folder.join("routes"), "toml", "")?,
            sources: read_texts(&folder.join("sources"), "toml", "")?,
            seeds: read_texts(&folder.join("seeds"), "csv", "")?,
            models: texts_by_sport(&models, "sql")?,
            tables: texts_by_sport(&models, "toml")?,
            dna: texts_by_sport(&folder.join("dna"), "toml")?,
            ratings: texts_by_sport(&folder.join("ratings"), "toml")?,
            audits: texts_by_sport(&folder.join("audits"), "sql")?,
            engine: read_text(&folder.join("engine.toml"))?,
        })
    }
}

fn texts_by_sport(root: &Path, extension: &str) -> Result<&'static [NamedText], CatalogFilesError> {
    let mut folders = list_entries(root)?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    let mut all = Vec::new();
    for folder in folders {
        let sport = file_stem(&folder) + "/";
        all.extend_from_slice(read_texts(&folder, extension, &sport)?);
    }
    Ok(all.leak())
}

/// Files of this extension, by name; each is kept as long as the process lives.
fn read_texts(
    folder: &Path,
    extension: &str,
    prefix: &str,
) -> Result<&'static [NamedText], CatalogFilesError> {
    let mut files = list_entries(folder)?;
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort_by_key(|file| file_stem(file));
    let read = |file: &PathBuf| Ok((&*(prefix.to_owned() + &file_stem(file)).leak(), read_text(file)?));
    Ok(files.iter().map(read).collect::<Result<Vec<NamedText>, _>>()?.leak())
}

fn read_text(file: &Path) -> Result<&'static str, CatalogFilesError> {
    Ok(std::fs::read_to_string(file).map_err(unreadable_error(file))?.leak())
}

fn list_entries(folder: &Path) -> Result<Vec<PathBuf>, CatalogFilesError> {
    let entries = std::fs::read_dir(folder).map_err(unreadable_error(folder))?;
    entries.map(|entry| Ok(entry.map_err(unreadable_error(folder))?.path())).collect()
}

fn unreadable_error(path: &Path) -> impl Fn(std::io::Error) -> CatalogFilesError {
    move |source| CatalogFilesError::Unreadable { path: path.to_owned(), source }
}

fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
