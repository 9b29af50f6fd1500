//! Promotions of events: `promotions.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// Promotions by how the names of their events begin, or what they say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotions {
    promotion: Vec<Promotion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Promotion {
    code: String,
    names: Vec<String>,
    /// Words within a name that none begins, in which `#` is a number.
    #[serde(default)]
    within: Vec<String>,
}

impl Promotions {
    /// Those of this build.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the file.
    #[must_use]
    pub fn get() -> &'static Self {
        static PROMOTIONS: LazyLock<Promotions> = LazyLock::new(|| {
            let text = include_str!("../promotions.toml");
            toml::from_str(text).unwrap_or_else(|error| panic!("read promotions.toml: {error}"))
        });
        &PROMOTIONS
    }

    /// Code of the promotion whose events are called so.
    #[must_use]
    pub fn of_event(&self, name: &str) -> Option<&str> {
        let known =
            self.promotion.iter().flat_map(|p| p.names.iter().map(|begins| (begins.len(), begins, &p.code)));
        let found = known.filter(|(_, begins, _)| name.starts_with(begins.as_str()));
        let begun = found.max_by_key(|(length, ..)| *length).map(|(.., code)| code.as_str());
        begun.or_else(|| {
            let words: Vec<&str> = name.split_whitespace().map(|word| word.trim_end_matches(':')).collect();
            let says = |within: &String| is_within(&words, &within.split(' ').collect::<Vec<_>>());
            self.promotion.iter().find(|p| p.within.iter().any(says)).map(|p| p.code.as_str())
        })
    }

    /// Codes of all promotions, in the order of the file.
    pub fn promotion_codes(&self) -> impl Iterator<Item = &str> {
        self.promotion.iter().map(|promotion| promotion.code.as_str())
    }
}

/// Whether these words stand together, a number for each `#`.
fn is_within(words: &[&str], within: &[&str]) -> bool {
    let is = |(word, within): (&&str, &&str)| match *within {
        "#" => word.parse::<u32>().is_ok(),
        within => *word == within,
    };
    words.windows(within.len()).any(|words| words.iter().zip(within).all(is))
}
