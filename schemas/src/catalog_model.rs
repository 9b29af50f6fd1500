//! Models of the multi-sport catalog: SQL files, the contracts of the tables that they publish, and seeds.

use std::collections::BTreeMap;

use crate::catalog_dna::CatalogDna;
use crate::embedded;
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

/// `nhl/nhl_games` as sport and name.
fn parts(path: &'static str) -> (&'static str, &'static str) {
    path.split_once('/').unwrap_or(("", path))
}

impl CatalogModel {
    /// The models of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = Self> {
        let models = embedded::CATALOG_MODELS.iter().map(|(path, sql)| {
            let (sport, name) = parts(path);
            Self { sport, name, sql }
        });
        models.filter(move |model| model.sport == sport)
    }
}

impl CatalogSeed {
    /// The seeds of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = Self> {
        let prefix = format!("{sport}_");
        let seeds = embedded::CATALOG_SEEDS.iter().map(|(name, csv)| Self { name, csv });
        seeds.filter(move |seed| seed.name.starts_with(&prefix))
    }
}

/// SHA-256 over the models, contracts, seeds and DNA of a sport, in hex: what its tables depend on besides the facts.
#[must_use]
pub fn models_digest(sport: &str) -> String {
    let models = CatalogModel::of_sport(sport).map(|model| (model.name, model.sql));
    let tables = embedded::CATALOG_TABLES.iter().filter(|(path, _)| parts(path).0 == sport).copied();
    let seeds = CatalogSeed::of_sport(sport).map(|seed| (seed.name, seed.csv));
    let dna = embedded::CATALOG_DNA.iter().filter(|(path, _)| parts(path).0 == sport).copied();
    let shared = [("engine", embedded::CATALOG_ENGINE)]
        .into_iter()
        .filter(|_| CatalogDna::of_sport(sport).next().is_some());
    let corrections = [("corrections", CORRECTIONS)];
    crate::digest_of(models.chain(tables).chain(seeds).chain(dna).chain(shared).chain(corrections))
}

/// Sports that have models, by name.
#[must_use]
pub fn modelled_sports() -> Vec<&'static str> {
    let mut sports: Vec<&str> = embedded::CATALOG_MODELS.iter().map(|(path, _)| parts(path).0).collect();
    sports.dedup();
    sports
}

/// The tables that models publish, by name.
pub(crate) fn published_tables() -> BTreeMap<String, Table> {
    let read = |(path, text): &(&'static str, &str)| {
        let (sport, name) = parts(path);
        let mut table =
            Table::parse(name, text).unwrap_or_else(|error| panic!("embedded contract {path}: {error:?}"));
        (table.name, table.stage) = (name.to_owned(), format!("catalog/{sport}"));
        (name.to_owned(), table)
    };
    let mut tables: BTreeMap<String, Table> = embedded::CATALOG_TABLES.iter().map(read).collect();
    tables.extend(
        modelled_sports().into_iter().map(corrections_table).map(|table| (table.name.clone(), table)),
    );
    tables
}

/// Contract of the table of what later captures of a sport corrected.
#[must_use]
pub fn corrections_table(sport: &str) -> Table {
    let name = format!("{sport}_corrections");
    let table =
        Table::parse(&name, CORRECTIONS).unwrap_or_else(|error| panic!("contract of {name}: {error:?}"));
    Table { name, stage: format!("catalog/{sport}"), ..table }
}

const CORRECTIONS: &str = include_str!("../catalog/corrections.toml");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contract_has_a_model_and_its_key_exists_and_is_never_null() {
        for table in published_tables().values() {
            let sport = table.stage.strip_prefix("catalog/").unwrap();
            let has_model = CatalogModel::of_sport(sport).any(|model| model.name == table.name);
            assert!(has_model || table.name == corrections_table(sport).name, "{}", table.name);
            assert!(!table.key.is_empty(), "{}", table.name);
            for key in &table.key {
                let column = table.place(key).map(|place| &table.columns[place]);
                assert!(column.is_some_and(|column| !column.is_nullable()), "{}.{key}", table.name);
            }
        }
    }

    #[test]
    fn a_model_begins_with_what_it_is_and_is_called_by_its_sport() {
        for sport in modelled_sports() {
            for model in CatalogModel::of_sport(sport) {
                assert!(model.sql.starts_with("--"), "{}", model.name);
                assert!(model.name.starts_with(&format!("{sport}_")), "{}", model.name);
            }
        }
    }
}
