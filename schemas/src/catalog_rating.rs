//! Ratings of the multi-sport catalog: which contests a model lists, and how far each moves the ratings of its sides.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::catalog_files::{catalog_files, path_parts};
use crate::definitions::RatingSettings;
use crate::table::Table;

/// Elo ratings over the contests that a model lists: the table `NAME`, a row for each side of each contest, which later models
/// read.
#[derive(Debug, Clone)]
pub struct CatalogRating {
    pub sport: &'static str,
    /// Of the table of sides.
    pub name: &'static str,
    pub file: RatingFile,
}

/// As it is declared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingFile {
    /// Table that a model makes, a row for each contest and pool of ratings.
    pub contests: String,
    /// Its column that names the contest.
    pub contest: String,
    /// Its column that names the pool. A subject has a rating of his own in each.
    pub pool: String,
    /// Its column of whole numbers by which contests follow one another. Those of one step are rated from the ratings before it.
    pub step: String,
    /// Its columns of the two sides, the winner's first.
    pub subjects: [String; 2],
    pub rating: RatingSettings,
}

static ALL: LazyLock<Vec<CatalogRating>> = LazyLock::new(|| {
    let read = |(path, text): &(&'static str, &str)| {
        CatalogRating::parse(path, text).unwrap_or_else(|error| panic!("rating {path}: {error}"))
    };
    catalog_files().ratings.iter().map(read).collect()
});

impl CatalogRating {
    pub(crate) fn parse(path: &'static str, text: &str) -> Result<Self, toml::de::Error> {
        let (sport, name) = path_parts(path);
        Ok(Self { sport, name, file: toml::from_str(text)? })
    }

    /// The table of sides.
    #[must_use]
    pub fn sides_table(&self) -> Table {
        let table = Table::parse(self.name, include_str!("../catalog/rated_sides.toml"));
        let table = table.unwrap_or_else(|error| panic!("columns of {}: {error:?}", self.name));
        Table { name: self.name.to_owned(), stage: format!("catalog/{}", self.sport), ..table }
    }

    /// Those of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(move |rating| rating.sport == sport)
    }
}
