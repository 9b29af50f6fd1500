//! Models of the multi-sport catalog: SQL files, the contracts of the tables that they publish, and seeds.

use std::collections::BTreeMap;

use crate::catalog_dna::{CatalogDna, SHARED_BY_DNA};
use crate::catalog_files::{catalog_files, path_parts};
use crate::catalog_rating::{CatalogRating, SHARED_BY_RATINGS};
use crate::table::Table;

/// One `SELECT`, which becomes the table of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogModel {
    pub sport: &'static str,
    /// Of the table.
    pub name: &'static str,
    pub sql: &'static str,
}

/// A small table that is written by hand: a crosswalk, constants. Its columns are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogSeed {
    /// Of the table; it begins with the sport's.
    pub name: &'static str,
    pub csv: &'static str,
}

impl CatalogModel {
    /// The models of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = Self> {
        let models = catalog_files().models.iter().map(|(path, sql)| Self::of_file(path, sql));
        models.filter(move |model| model.sport == sport)
    }

    pub(crate) fn of_file(path: &'static str, sql: &'static str) -> Self {
        let (sport, name) = path_parts(path);
        Self { sport, name, sql }
    }

    /// Says what does not hold.
    pub(crate) fn check_model(&self) -> Result<(), String> {
        if !self.name.starts_with(&format!("{}_", self.sport)) {
            return Err(format!("its name does not begin with {}_", self.sport));
        }
        let is_told = self.sql.starts_with("--");
        is_told.then_some(()).ok_or_else(|| "its first line is no comment that says what it is".to_owned())
    }
}

impl CatalogSeed {
    /// The seeds of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = Self> {
        let prefix = format!("{sport}_");
        let seeds = catalog_files().seeds.iter().map(|(name, csv)| Self { name, csv });
        seeds.filter(move |seed| seed.name.starts_with(&prefix))
    }
}

/// SHA-256 over the models, contracts, seeds, DNA and ratings of a sport, in hex: what its tables depend on besides the facts.
#[must_use]
pub fn models_digest(sport: &str) -> String {
    let models = CatalogModel::of_sport(sport).map(|model| (model.name, model.sql));
    let tables = catalog_files().tables.iter().filter(|(path, _)| path_parts(path).0 == sport).copied();
    let seeds = CatalogSeed::of_sport(sport).map(|seed| (seed.name, seed.csv));
    let dna = catalog_files().dna.iter().filter(|(path, _)| path_parts(path).0 == sport).copied();
    let ratings = catalog_files().ratings.iter().filter(|(path, _)| path_parts(path).0 == sport).copied();
    let by_dna = [("engine", catalog_files().engine)].into_iter().chain(SHARED_BY_DNA);
    let by_dna = by_dna.filter(|_| CatalogDna::of_sport(sport).next().is_some());
    let by_ratings = SHARED_BY_RATINGS.into_iter();
    let by_ratings = by_ratings.filter(|_| CatalogRating::of_sport(sport).next().is_some());
    let of_every_sport = [("corrections", CORRECTIONS), ("quarantine", QUARANTINE)];
    let own = models.chain(tables).chain(seeds).chain(dna).chain(ratings);
    crate::digest::digest_of(own.chain(by_dna).chain(by_ratings).chain(of_every_sport))
}

/// Sports that have models, by name.
#[must_use]
pub fn modelled_sports() -> Vec<&'static str> {
    let mut sports: Vec<&str> = catalog_files().models.iter().map(|(path, _)| path_parts(path).0).collect();
    sports.dedup();
    sports
}

/// The tables that models publish, by name.
pub(crate) fn published_tables() -> BTreeMap<String, Table> {
    let read = |(path, text): &(&'static str, &str)| {
        let (sport, name) = path_parts(path);
        let mut table = Table::parse(name, text).unwrap_or_else(|error| panic!("contract {path}: {error:?}"));
        (table.name, table.stage) = (name.to_owned(), format!("catalog/{sport}"));
        (name.to_owned(), table)
    };
    let mut tables: BTreeMap<String, Table> = catalog_files().tables.iter().map(read).collect();
    let of_every_sport = |sport| [corrections_table(sport), set_aside_table(sport)];
    let of_sports = modelled_sports().into_iter().flat_map(of_every_sport);
    tables.extend(of_sports.map(|table| (table.name.clone(), table)));
    let measured = property_validity_table();
    tables.insert(measured.name.clone(), measured);
    tables
}

/// Contract of the table of what valuations of properties are worth. No model makes it: it is measured on what models made.
#[must_use]
pub fn property_validity_table() -> Table {
    let name = "properties_validity";
    let table =
        Table::parse(name, PROPERTY_VALIDITY).unwrap_or_else(|error| panic!("contract of {name}: {error:?}"));
    Table { name: name.to_owned(), stage: format!("catalog/{PROPERTY_VALIDITY_STAGE}"), ..table }
}

/// In the place of a sport in the stage of that table.
pub const PROPERTY_VALIDITY_STAGE: &str = "properties-validity";

const PROPERTY_VALIDITY: &str = include_str!("../catalog/properties_validity.toml");

/// Contract of the table of what later captures of a sport corrected.
#[must_use]
pub fn corrections_table(sport: &str) -> Table {
    of_sport(sport, "corrections", CORRECTIONS)
}

/// Contract of the table of rows of a sport that no other table holds.
#[must_use]
pub fn set_aside_table(sport: &str) -> Table {
    of_sport(sport, SET_ASIDE, QUARANTINE)
}

fn of_sport(sport: &str, table: &str, text: &str) -> Table {
    let name = format!("{sport}_{table}");
    let table = Table::parse(&name, text).unwrap_or_else(|error| panic!("contract of {name}: {error:?}"));
    Table { name, stage: format!("catalog/{sport}"), ..table }
}

/// End of the names of the tables of what was set aside.
const SET_ASIDE: &str = "quarantine";

/// Whether a table of a snapshot holds what was set aside: that of Fight DNA, or one of a sport.
#[must_use]
pub fn is_quarantine(table: &str) -> bool {
    table.strip_suffix(SET_ASIDE).is_some_and(|sport| sport.is_empty() || sport.ends_with('_'))
}

const CORRECTIONS: &str = include_str!("../catalog/corrections.toml");

const QUARANTINE: &str = include_str!("../catalog/quarantine.toml");

/// Says what does not hold of the contract of a published table.
pub(crate) fn check_contract(table: &Table, has_model: bool) -> Result<(), String> {
    if !has_model {
        return Err("no model of that name makes it".to_owned());
    }
    if table.key.is_empty() {
        return Err("it has no key".to_owned());
    }
    let is_known = |key: &&String| table.place(key).is_some_and(|place| !table.columns[place].is_nullable());
    match table.key.iter().find(|key| !is_known(key)) {
        Some(key) => Err(format!("its key has {key}, which is no column, or may be null")),
        None => Ok(()),
    }
}
