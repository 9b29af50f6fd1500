//! The real captures that tests may read and nobody commits.

use std::path::{Path, PathBuf};

/// Folder of the real captures: `FIGHTDNA_REAL_DATA`, or `../shared/data` beside the checkout.
///
/// `None` where there is none, so that a test can pass over itself and say so; on CI that is a failure.
///
/// # Panics
/// On CI (`CI=true`), if the folder is missing.
#[must_use]
pub fn real_data() -> Option<PathBuf> {
    let beside = || checkout().join("../shared/data");
    let folder = std::env::var_os("FIGHTDNA_REAL_DATA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "the real captures are not at {}: CI must have them",
        folder.display()
    );
    eprintln!("passed over: no real captures at {}", folder.display());
    None
}

/// The folder of the workspace whose tests run. What was compiled may be from another checkout that shared this
/// one's target folder; what the runner says is of now.
fn checkout() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = Path::new(&package);
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap_or(package).to_path_buf()
}
