//! Belts that no source of bouts names: `titles.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Kinds of belts by bout.
#[derive(Debug)]
pub struct Titles(BTreeMap<String, String>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bout: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    statsdb_id: String,
    kind: String,
    /// For readers of the file.
    #[serde(rename = "what")]
    _what: String,
}

impl Titles {
    /// Those of this build.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the file.
    #[must_use]
    pub fn get() -> &'static Self {
        static TITLES: LazyLock<Titles> = LazyLock::new(|| {
            let text = include_str!("../titles.toml");
            let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("read titles.toml: {error}"));
            Titles(file.bout.into_iter().map(|bout| (bout.statsdb_id, bout.kind)).collect())
        });
        &TITLES
    }

    /// The title at stake in the bout of this id at the statistics source.
    #[must_use]
    pub fn kind_of(&self, statsdb_id: &str) -> Option<&str> {
        self.0.get(statsdb_id).map(String::as_str)
    }
}
