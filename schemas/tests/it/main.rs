//! The contracts as the rest of the product reads them.

mod catalog;
mod catalog_folder;
mod columns;
mod definitions;
mod lists;
mod sources;
mod tables;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file or folder of the contracts.
fn contract_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read_contract(path: &str) -> String {
    std::fs::read_to_string(contract_path(path)).unwrap()
}

/// Names of the files of a folder, without their extension.
fn names_in(folder: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(contract_path(folder)).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
}
