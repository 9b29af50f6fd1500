//! The snapshot that is served.

use std::path::PathBuf;

use fdna_lake::{Lake, LakeError, SnapshotManifest};

use super::product::Product;

/// A lake in which no snapshot is current.
#[derive(Debug, thiserror::Error)]
#[error("no current snapshot in {}; run \"{run}\" to make one", .lake.display())]
pub struct NoCurrentSnapshot {
    lake: PathBuf,
    run: &'static str,
}

impl NoCurrentSnapshot {
    /// Of a lake that is for `product`, unless it says itself what it is for.
    pub fn new(lake: &Lake, product: Product) -> Self {
        let run = Product::of_lake(lake).unwrap_or(product).run_command();
        Self { lake: lake.root().to_owned(), run }
    }
}

/// Its manifest; `None` before the first.
pub fn current_manifest(lake: &Lake) -> anyhow::Result<Option<SnapshotManifest>> {
    Ok(lake.current_snapshot()?.map(|id| lake.snapshot(&id)).transpose()?)
}

/// The same, where a command can do nothing without it; `product` is what the command is about.
///
/// # Errors
/// [`NoCurrentSnapshot`], or the lake cannot be read.
pub fn require_current(lake: &Lake, product: Product) -> anyhow::Result<SnapshotManifest> {
    match current_manifest(lake)? {
        Some(manifest) => Ok(manifest),
        None => Err(NoCurrentSnapshot::new(lake, product).into()),
    }
}

/// Whether what [`current_manifest`] stumbled over is damage, which publishing mends.
pub fn is_damaged(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(is_damage)
}

/// The same of an error of the lake.
pub fn is_damage(error: &LakeError) -> bool {
    error.is_damage() || matches!(error, LakeError::NoSnapshot { .. })
}
