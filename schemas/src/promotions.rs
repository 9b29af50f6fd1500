//! Whose an event is: `promotions.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// Promotions by how the names of their events begin.
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
        found.max_by_key(|(length, ..)| *length).map(|(.., code)| code.as_str())
    }

    /// Codes of all promotions, in the order of the file.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.promotion.iter().map(|promotion| promotion.code.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_its_promotions_by_its_name() {
        let of = |name| Promotions::get().of_event(name);
        assert_eq!(of("UFC 300: Pereira vs. Hill"), Some("UFC"));
        assert_eq!(of("Road to UFC 3.5 + 3.6"), Some("ROAD_TO_UFC"));
        assert_eq!(of("Dana White's Contender Series: Season 9, Week 1"), Some("DWCS"));
        assert_eq!(of("PRIDE 33: The Second Coming"), Some("PRIDE"));
        assert_eq!(of("Somebody's Night of Fights"), None);
    }
}
