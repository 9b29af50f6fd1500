//! Limits on losses of a snapshot against the one that is served: `gates.toml`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

/// Limits of the gates before publishing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicationLimits {
    /// Tables with fewer rows may shrink.
    pub rows_at_least: u64,
    /// Share of a table's rows that may go, 0 to 1.
    pub may_lose: f64,
    /// Tables of which any number of rows may go.
    pub may_shrink: BTreeSet<String>,
}

impl PublicationLimits {
    /// Those of this build.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the file.
    #[must_use]
    pub fn get() -> &'static Self {
        static LIMITS: LazyLock<PublicationLimits> = LazyLock::new(|| {
            let text = include_str!("../gates.toml");
            toml::from_str(text).unwrap_or_else(|error| panic!("read gates.toml: {error}"))
        });
        &LIMITS
    }
}
