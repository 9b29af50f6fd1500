//! Source of the engine's counts.

/// Integer columns of the observations.
pub trait ObservationColumns: Sync {
    /// A column by its name in the metric definitions, by row of the timeline; `None` if there is no such column. A value is
    /// `None` where the observation does not carry it.
    fn column(&self, name: &str) -> Option<Vec<Option<i32>>>;
}

/// The metric definitions name a column that no observation has.
#[derive(Debug, thiserror::Error)]
#[error("no column `{column}` for metric `{metric}`")]
pub struct UnknownColumn {
    pub metric: String,
    pub column: String,
}
