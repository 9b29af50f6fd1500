//! The snapshot that is served.

use fdna_lake::{Lake, LakeError, SnapshotManifest};

/// Its manifest; `None` before the first.
pub(crate) fn current(lake: &Lake) -> anyhow::Result<Option<SnapshotManifest>> {
    Ok(lake.current()?.map(|id| lake.snapshot(&id)).transpose()?)
}

/// Whether what [`current`] stumbled over is damage, which publishing mends.
pub(crate) fn is_damaged(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(is_damage)
}

/// The same of an error of the lake.
pub(crate) fn is_damage(error: &LakeError) -> bool {
    error.is_damage() || matches!(error, LakeError::NoSnapshot { .. })
}
