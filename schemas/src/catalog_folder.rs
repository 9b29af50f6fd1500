//! A folder of catalog files in the place of those that are compiled in.

use std::path::Path;

use crate::catalog_dna::CatalogDna;
use crate::catalog_files::{CatalogFiles, CatalogFilesError, path_parts};
use crate::catalog_model::{self, CatalogModel};
use crate::catalog_rating::CatalogRating;
use crate::catalog_source::CatalogSource;
use crate::table::Table;

/// Uses the files of a folder from now on, for the life of the process. They are read and checked once.
///
/// # Errors
/// A file cannot be read, or contradicts itself or another one; or the catalog was used before.
pub fn use_catalog_folder(folder: &Path) -> Result<(), CatalogFilesError> {
    let files = CatalogFiles::of_folder(folder)?;
    check_files(&files)?;
    files.use_for_process()
}

/// Reads every file but the routes, which the catalog of routes checks against the tables.
fn check_files(files: &CatalogFiles) -> Result<(), CatalogFilesError> {
    let unusable = |file: &str, why: String| CatalogFilesError::Unusable { file: file.to_owned(), why };
    let mut sources = Vec::new();
    for (name, text) in files.sources {
        let source: CatalogSource = toml::from_str(text).map_err(|e| unusable(name, e.to_string()))?;
        source.check_source(name).map_err(|why| unusable(name, why))?;
        sources.push(source);
    }
    let twice = CatalogSource::table_of_two(&sources);
    twice.map_or(Ok(()), |(table, source)| {
        Err(unusable(source, format!("table {table} is of another source")))
    })?;
    for (path, sql) in files.models {
        CatalogModel::of_file(path, sql).check_model().map_err(|why| unusable(path, why))?;
    }
    for (path, text) in files.tables {
        let table = Table::parse(path, text).map_err(|e| unusable(path, format!("{:?}", e)))?;
        let has_model = files.models.iter().any(|(model, _)| model == path);
        catalog_model::check_contract(&table, has_model).map_err(|why| unusable(path, why))?;
    }
    for (path, text) in files.dna {
        let (sport, name) = path_parts(path);
        let dna =
            CatalogDna::parse(sport, name, text, files.engine).map_err(|e| unusable(path, e.to_string()))?;
        dna.check_definition().map_err(|why| unusable(path, why))?;
    }
    for (path, text) in files.ratings {
        let rating = CatalogRating::parse(path, text).map_err(|e| unusable(path, e.to_string()))?;
        let contests = format!("{}/{}", rating.sport, rating.file.contests);
        if !files.models.iter().any(|(model, _)| *model == contests) {
            return Err(unusable(path, format!("no model makes its contests, {contests}")));
        }
    }
    Ok(())
}
