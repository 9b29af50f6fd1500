//! Ratings of the multi-sport catalog: which contests a model lists, how far each moves the ratings of its sides, and what the
//! ratings are worth.

use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::Deserialize;

use crate::catalog_files::{catalog_files, path_parts};
use crate::definitions::RatingSettings;
use crate::table::Table;

/// Query of the tables `NAME`, over a table of contests.
pub const RATINGS: &str = include_str!("../catalog/ratings.sql");
/// Query of the tables `NAME_validity`, over the same.
pub const RATINGS_VALIDITY: &str = include_str!("../catalog/ratings_validity.sql");

const RATINGS_TABLE: &str = include_str!("../catalog/ratings.toml");
const CONTESTS_TABLE: &str = include_str!("../catalog/ratings_contests.toml");
const VALIDITY_TABLE: &str = include_str!("../catalog/ratings_validity.toml");
/// Contracts and queries that all ratings share.
pub(crate) const SHARED_BY_RATINGS: [(&str, &str); 5] = [
    ("ratings", RATINGS_TABLE),
    ("ratings_contests", CONTESTS_TABLE),
    ("ratings_validity", VALIDITY_TABLE),
    ("ratings_query", RATINGS),
    ("ratings_validity_query", RATINGS_VALIDITY),
];

/// Elo ratings over the contests that a model lists: the tables `NAME`, a row for each subject and day from which its rating holds,
/// `NAME_contests`, a row for each side of each contest, and `NAME_validity`, what ratings before contests said of them.
#[derive(Debug, Clone)]
pub struct CatalogRating {
    pub sport: &'static str,
    /// Of the table of ratings.
    pub name: &'static str,
    pub file: RatingFile,
}

/// As it is declared. The model of the contests has the columns `contest`, `pool`, `step` (whole numbers by which contests follow
/// one another: those of one step are rated from the ratings before it), `played_on`, `season`, `first`, `second`, `first_name`,
/// `second_name`, `score` (of the
/// first: 1 won, 0.5 drawn, 0 lost), `margin` and `is_neutral`. A subject has a rating of its own in each pool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingFile {
    /// What is rated, for the contract of the table.
    pub meaning: String,
    /// Raised when the same contests give other ratings.
    pub version: u32,
    /// Table that a model makes, a row for each contest and pool of ratings.
    pub contests: String,
    /// Constants were chosen on contests up to this day; what the ratings are worth is measured after it.
    pub fitted_to: NaiveDate,
    pub rating: RatingSettings,
    /// What others measured, to be held beside.
    #[serde(default)]
    pub published: Vec<PublishedRating>,
}

/// Somebody else's measurement of their ratings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRating {
    pub pool: String,
    /// First and last season of their contests.
    pub seasons: [String; 2],
    pub log_loss: Option<f64>,
    pub brier: Option<f64>,
    pub accuracy: Option<f64>,
    pub source: String,
    pub url: String,
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

    /// The table of ratings.
    #[must_use]
    pub fn ratings_table(&self) -> Table {
        let mut table = self.output_table(self.name.to_owned(), RATINGS_TABLE);
        table.meaning.clone_from(&self.file.meaning);
        table
    }

    /// The table of the sides of each contest.
    #[must_use]
    pub fn contests_table(&self) -> Table {
        let name = format!("{}_contests", self.name);
        self.output_table(name, CONTESTS_TABLE)
    }

    /// The table of what the ratings are worth.
    #[must_use]
    pub fn validity_table(&self) -> Table {
        let name = format!("{}_validity", self.name);
        self.output_table(name, VALIDITY_TABLE)
    }

    /// Contracts of all that is made of the contests.
    #[must_use]
    pub fn snapshot_tables(&self) -> [Table; 3] {
        [self.ratings_table(), self.contests_table(), self.validity_table()]
    }

    fn output_table(&self, name: String, text: &str) -> Table {
        let table = Table::parse(&name, text).unwrap_or_else(|error| panic!("contract of {name}: {error:?}"));
        Table { name, stage: format!("catalog/{}", self.sport), version: self.file.version, ..table }
    }

    /// Those of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(move |rating| rating.sport == sport)
    }
}

/// Contracts of the tables of all ratings, by name.
pub(crate) fn rating_tables() -> impl Iterator<Item = (String, Table)> {
    let tables = ALL.iter().flat_map(CatalogRating::snapshot_tables);
    tables.map(|table| (table.name.clone(), table))
}
