//! DNA of the multi-sport catalog: which observations are made into which metrics, with the constants of each pool.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::catalog_files::catalog_files;
use crate::definitions::{EngineSettings, Family, Metric, MetricDefinitions, ValidityClass};
use crate::table::{Column, Table};

/// Column of the day from which a version holds.
const VALID_FROM: &str = "valid_from";
const AS_OF: &str = "as_of";
/// What queries over the versions of any DNA call them.
pub(crate) const DNA_VERSIONS: &str = "dna_versions";

const VERSIONS: &str = include_str!("../catalog/dna_versions.toml");
const METRICS: &str = include_str!("../catalog/dna_metrics.toml");
const LEADERS: &str = include_str!("../catalog/dna_leaders.toml");
const LEADERS_QUERY: &str = include_str!("../catalog/dna_leaders.sql");
/// Contracts and queries that every DNA shares.
pub(crate) const SHARED_BY_DNA: [(&str, &str); 4] = [
    ("dna_versions", VERSIONS),
    ("dna_metrics", METRICS),
    ("dna_leaders", LEADERS),
    ("dna_leaders_query", LEADERS_QUERY),
];

/// DNA of one kind of subject: the tables `NAME`, a row for each subject, metric and day from which it holds, and
/// `NAME_metrics`, a row for each metric with its definition, constants and measurement; and, if its file names one, a table of
/// leaders.
#[derive(Debug, Clone)]
pub struct CatalogDna {
    pub sport: &'static str,
    /// Of the table of versions.
    pub name: &'static str,
    /// Of its panels.
    pub panel: &'static str,
    file: DnaFile,
    settings: EngineSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct DnaFile {
    /// Meaning of the versions.
    meaning: String,
    /// Of these definitions; raised when the same games give other values.
    version: u32,
    /// Table that a model makes, a row for each subject and contest.
    observations: String,
    /// Table of the players who are ranked by each metric now; its query reads `player_id` and `player_name`.
    leaders: Option<String>,
    /// Its columns that say who, in which pool, and on which day.
    subject: String,
    pool: String,
    date: String,
    /// Columns that identify a version.
    key: Vec<String>,
    /// The subject's column, and others of the newest observation that a version carries.
    columns: Vec<Column>,
    /// Differences from `engine.toml`.
    #[serde(default)]
    engine: toml::Table,
    #[serde(rename = "metric")]
    metrics: Vec<Metric>,
    #[serde(rename = "pools")]
    pools: BTreeMap<String, DnaPool>,
}

/// A pool, within which subjects are compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct DnaPool {
    /// Newest observations of a subject that its values rest on, where it differs from the engine's.
    history_observations: Option<usize>,
    /// By name of the metric. One that is not named is not derived in this pool.
    metrics: BTreeMap<String, MetricConstants>,
}

/// The engine's measurement of a metric in a pool.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct MetricConstants {
    prior_observations: f64,
    variance: f64,
    season_drift: Option<f64>,
    class: ValidityClass,
}

static ALL: LazyLock<Vec<CatalogDna>> = LazyLock::new(|| {
    let read = |(path, text): &(&'static str, &str)| {
        let (sport, name) = crate::catalog_files::path_parts(path);
        let dna = CatalogDna::parse(sport, name, text, catalog_files().engine);
        dna.unwrap_or_else(|error| panic!("DNA {path}: {error}"))
    };
    catalog_files().dna.iter().map(read).collect()
});

impl CatalogDna {
    pub(crate) fn parse(
        sport: &'static str,
        name: &'static str,
        text: &str,
        engine: &str,
    ) -> Result<Self, toml::de::Error> {
        let mut file: DnaFile = toml::from_str(text)?;
        let mut engine: toml::Table = toml::from_str(engine)?;
        overlay_tables(&mut engine, std::mem::take(&mut file.engine));
        let settings = engine.try_into()?;
        // The files live as long as the program.
        Ok(Self { sport, name, panel: format!("panel_{name}").leak(), file, settings })
    }

    /// Says what does not hold.
    pub(crate) fn check_definition(&self) -> Result<(), String> {
        let metrics: BTreeSet<&String> = self.file.metrics.iter().map(|metric| &metric.name).collect();
        if metrics.len() != self.file.metrics.len() {
            return Err("two metrics share a name".to_owned());
        }
        let named: BTreeSet<&String> =
            self.file.pools.values().flat_map(|pool| pool.metrics.keys()).collect();
        if let Some(odd) = named.symmetric_difference(&metrics).next() {
            return Err(format!("{odd} is a metric without constants, or has constants and is no metric"));
        }
        let is_shrunk_ratio = |metric: &&Metric| {
            !metric.numerator.is_empty() && !metric.denominator.is_empty() && metric.is_shrunk()
        };
        if let Some(other) = self.file.metrics.iter().find(|metric| !is_shrunk_ratio(metric)) {
            return Err(format!("{} is no ratio that is drawn towards its pool", other.name));
        }
        let has_column = |wanted: &str| self.file.columns.iter().any(|column| column.name == wanted);
        if !has_column(self.subject()) {
            return Err(format!("it has no column {}, its subject", self.subject()));
        }
        if self.file.leaders.is_some() && !["player_id", "player_name"].into_iter().all(has_column) {
            return Err("its leaders need the columns player_id and player_name".to_owned());
        }
        let lacks = |column: &&str| !self.file.key.iter().any(|key| key == column);
        if let Some(column) = [self.subject(), "metric", VALID_FROM].into_iter().find(lacks) {
            return Err(format!("its key lacks {column}"));
        }
        if self.file.key.last().is_none_or(|last| last != VALID_FROM) {
            return Err(format!("its key does not end in {VALID_FROM}"));
        }
        Ok(())
    }

    /// Those of every sport.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter()
    }

    /// Those of a sport, by name.
    pub fn of_sport(sport: &str) -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(move |dna| dna.sport == sport)
    }

    /// Table of the observations.
    #[must_use]
    pub fn observations(&self) -> &str {
        &self.file.observations
    }

    #[must_use]
    pub fn subject(&self) -> &str {
        &self.file.subject
    }

    /// Column of the observations that names the pool.
    #[must_use]
    pub fn pool(&self) -> &str {
        &self.file.pool
    }

    #[must_use]
    pub fn date(&self) -> &str {
        &self.file.date
    }

    /// Names of the columns that a version carries from its newest observation.
    pub fn carried_columns(&self) -> impl Iterator<Item = &str> {
        self.file.columns.iter().map(|column| &*column.name).filter(|name| *name != self.file.subject)
    }

    /// Names of the pools, sorted.
    pub fn pools(&self) -> impl Iterator<Item = &str> {
        self.file.pools.keys().map(String::as_str)
    }

    /// Columns that the metrics sum, each once.
    #[must_use]
    pub fn summed_columns(&self) -> BTreeSet<&str> {
        self.file.metrics.iter().flat_map(Metric::source_columns).collect()
    }

    /// The metrics that the engine derives in a pool: none, if the file has no such pool.
    #[must_use]
    pub fn definitions(&self, pool: &str) -> MetricDefinitions {
        let pool = self.file.pools.get(pool);
        let of_pool = |metric: &Metric| {
            let constants = pool?.metrics.get(&metric.name)?;
            Some(Metric {
                family: self.name.to_owned(),
                prior_observations: Some(constants.prior_observations),
                variance: Some(constants.variance),
                season_drift: constants.season_drift,
                validity_class: Some(constants.class),
                ..metric.clone()
            })
        };
        let history_observations =
            pool.and_then(|pool| pool.history_observations).or(self.settings.history_observations);
        MetricDefinitions {
            families: vec![Family { name: self.name.to_owned(), meaning: self.file.meaning.clone() }],
            metrics: self.file.metrics.iter().filter_map(of_pool).collect(),
            settings: EngineSettings { history_observations, ..self.settings.clone() },
            sum_units: BTreeMap::new(),
        }
    }

    /// Contract of the versions.
    #[must_use]
    pub fn versions_table(&self) -> Table {
        let mut table = self.output_table(self.name.to_owned(), VERSIONS);
        table.key.clone_from(&self.file.key);
        table.meaning.clone_from(&self.file.meaning);
        table.columns.splice(0..0, self.file.columns.iter().cloned());
        table
    }

    /// Contract of the panels: the versions that hold on a date.
    #[must_use]
    pub fn panel_table(&self) -> Table {
        let mut table = self.versions_table();
        let key = self.file.key.iter().filter(|column| *column != VALID_FROM).cloned();
        table.key = std::iter::once(AS_OF.to_owned()).chain(key).collect();
        "backfill".clone_into(&mut table.stage);
        self.panel.clone_into(&mut table.name);
        let day = table.columns.iter().find(|column| column.name == VALID_FROM).cloned();
        table.columns.splice(
            0..0,
            day.map(|day| Column {
                name: AS_OF.to_owned(),
                meaning: "date of the panel; its rows rest on games before this day alone".to_owned(),
                ..day
            }),
        );
        table
    }

    /// Contract of the metrics.
    #[must_use]
    pub fn metrics_table(&self) -> Table {
        self.output_table(format!("{}_metrics", self.name), METRICS)
    }

    /// Contract of the leaders.
    #[must_use]
    pub fn leaders_table(&self) -> Option<Table> {
        let name = self.file.leaders.clone()?;
        Some(self.output_table(name, LEADERS))
    }

    /// Query of the leaders.
    #[must_use]
    pub fn leaders_query(&self) -> String {
        LEADERS_QUERY.replace(DNA_VERSIONS, self.name)
    }

    /// Contracts of all that is made of the observations in a snapshot.
    pub fn snapshot_tables(&self) -> impl Iterator<Item = Table> {
        [self.versions_table(), self.metrics_table()].into_iter().chain(self.leaders_table())
    }

    fn output_table(&self, name: String, text: &str) -> Table {
        let table = Table::parse(&name, text).unwrap_or_else(|error| panic!("contract of {name}: {error:?}"));
        Table { name, stage: format!("catalog/{}", self.sport), version: self.file.version, ..table }
    }
}

/// Sets what the second has, table by table.
fn overlay_tables(base: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(over)) => overlay_tables(base, over),
            (_, value) => drop(base.insert(key, value)),
        }
    }
}

/// Contracts of the tables of all DNA, by name.
pub(crate) fn dna_tables() -> impl Iterator<Item = (String, Table)> {
    let tables = ALL.iter().flat_map(|dna| dna.snapshot_tables().chain([dna.panel_table()]));
    tables.map(|table| (table.name.clone(), table))
}
