//! The files of the multi-sport catalog: those that are compiled in, or those of a folder.

use std::path::Path;

use fdna_catalog::RouteCatalog;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_schemas::{CatalogFilesError, catalog_folder, use_catalog_folder};

/// The routes.
pub(crate) fn route_catalog() -> anyhow::Result<&'static RouteCatalog> {
    RouteCatalog::get().map_err(|fault| {
        // Those that are compiled in hold: a test reads them.
        let code = if catalog_folder().is_some() { ExitCode::BadData } else { ExitCode::Failed };
        error_with_code(code, format!("catalog: {:#}", anyhow::Error::new(fault)))
    })
}

/// Reads the catalog's files from a folder instead of those that are compiled in.
///
/// # Errors
/// A file cannot be read (69), or contradicts itself or another one (65).
pub(crate) fn use_folder(folder: &Path) -> anyhow::Result<()> {
    use_catalog_folder(folder).map_err(|error| {
        let code = match error {
            CatalogFilesError::Unreadable { .. } => ExitCode::Unavailable,
            CatalogFilesError::Unusable { .. } => ExitCode::BadData,
            CatalogFilesError::InUse(_) => ExitCode::Failed,
        };
        error_with_code(code, format!("catalog: {:#}", anyhow::Error::new(error)))
    })
}
