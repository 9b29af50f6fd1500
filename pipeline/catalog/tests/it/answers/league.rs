//! The invented sport T: tables, rows and routes.

use std::sync::LazyLock;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_catalog::{CatalogSnapshot, CatalogTables, RouteCatalog};
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{RowBuilder, Table, TableWriter};

const GAMES: &str = r#"
name = "t_games"
stage = "catalog/t"
grain = "one row per game"
key = ["game_id"]
meaning = "Games."
objects = ["home", "away"]
columns = [
  { name = "game_id", type = "string", meaning = "id" },
  { name = "season", type = "string", meaning = "season" },
  { name = "day", type = "date", meaning = "day" },
  { name = "home_abbr", type = "string", meaning = "home" },
  { name = "starts_at", type = "instant", meaning = "start", null_means = "not stated" },
  { name = "home_goals", type = "int32", meaning = "goals", null_means = "not played" },
  { name = "away_abbr", type = "string", meaning = "away" },
  { name = "share", type = "float64", meaning = "share", null_means = "not stated" },
  { name = "is_final", type = "bool", meaning = "whether it ended" },
  { name = "stars", type = "json", meaning = "stars", null_means = "not stated" },
]
"#;

const PLAYERS: &str = r#"
name = "t_players"
stage = "catalog/t"
grain = "one row per player"
key = ["player_id"]
meaning = "Players."
columns = [
  { name = "player_id", type = "string", meaning = "id" },
  { name = "slug", type = "string", meaning = "slug" },
  { name = "name", type = "string", meaning = "name" },
]
"#;

const METRICS: &str = r#"
name = "t_metrics"
stage = "catalog/t"
grain = "one row per player, metric and day"
key = ["player_id", "metric", "valid_from"]
meaning = "Metrics."
columns = [
  { name = "player_id", type = "string", meaning = "id" },
  { name = "metric", type = "string", meaning = "metric" },
  { name = "valid_from", type = "date", meaning = "day" },
  { name = "value", type = "float64", meaning = "value", null_means = "no chances" },
  { name = "confidence", type = "string", meaning = "confidence" },
]
"#;

const PROFILES: &str = r#"
name = "t_profiles"
stage = "catalog/t"
grain = "one row per player, metric and day"
key = ["player_id", "metric", "valid_from"]
meaning = "Metrics with teams."
columns = [
  { name = "player_id", type = "string", meaning = "id" },
  { name = "team", type = "string", meaning = "team" },
  { name = "metric", type = "string", meaning = "metric" },
  { name = "value", type = "float64", meaning = "value", null_means = "no chances" },
  { name = "confidence", type = "string", meaning = "confidence" },
  { name = "valid_from", type = "date", meaning = "day" },
]
"#;

/// Routes of the sport T over those tables.
pub(super) const ROUTES: &str = include_str!("routes.toml");

pub(super) fn contract(name: &str) -> Option<&'static Table> {
    static TABLES: LazyLock<[Table; 4]> = LazyLock::new(|| {
        [("t_games", GAMES), ("t_players", PLAYERS), ("t_metrics", METRICS), ("t_profiles", PROFILES)]
            .map(|(name, text)| Table::parse(name, text).unwrap())
    });
    TABLES.iter().find(|table| table.name == name)
}

pub(super) fn of_routes(text: &str) -> Result<RouteCatalog, String> {
    let catalog = RouteCatalog::with_contracts(&[("t", text)], &contract);
    catalog.map_err(|fault| match std::error::Error::source(&fault) {
        Some(source) => format!("{fault}: {source}"),
        None => fault.to_string(),
    })
}

pub(super) fn catalog() -> &'static RouteCatalog {
    static CATALOG: LazyLock<RouteCatalog> = LazyLock::new(|| of_routes(ROUTES).unwrap());
    &CATALOG
}

pub(super) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Id, season, day, home, away, goals.
pub(super) type Game = (&'static str, &'static str, &'static str, &'static str, &'static str, Option<i32>);

pub(super) fn games(games: &[Game]) -> RecordBatch {
    let mut rows = RowBuilder::new(contract("t_games").unwrap());
    for (id, season, on, home, away, goals) in games {
        let start = |goals: i32| day(on).and_hms_milli_opt(19, 0, 0, goals.unsigned_abs()).unwrap().and_utc();
        rows.push_values([
            ColumnValue::Text(id),
            ColumnValue::Text(season),
            ColumnValue::Date(day(on)),
            ColumnValue::Text(home),
            goals.map_or(ColumnValue::Null, |goals| ColumnValue::Instant(start(goals))),
            goals.map_or(ColumnValue::Null, ColumnValue::Int32),
            ColumnValue::Text(away),
            goals.map_or(ColumnValue::Null, |goals| ColumnValue::Float64(f64::from(goals) / 4.0)),
            ColumnValue::Bool(goals.is_some()),
            goals.map_or(ColumnValue::Null, |_| ColumnValue::Text(r#"[{"name":"A"}]"#)),
        ]);
    }
    rows.finish().unwrap()
}

pub(super) fn snapshot() -> &'static CatalogSnapshot {
    static SNAPSHOT: LazyLock<CatalogSnapshot> =
        LazyLock::new(|| of_tables(CatalogTables::new(catalog(), tables()).unwrap()));
    &SNAPSHOT
}

pub(super) fn tables() -> [(&'static Table, RecordBatch); 4] {
    // Out of the order of the key.
    let all = games(&[
        ("g5", "2024-25", "2024-10-09", "BOS", "TOR", None),
        ("g1", "2023-24", "2023-10-08", "TOR", "BOS", Some(0)),
        ("g2", "2023-24", "2024-01-08", "NYR", "BOS", Some(2)),
        ("g3", "2024-25", "2024-10-08", "BOS", "NYR", Some(5)),
        ("g4", "2024-25", "2024-10-08", "NYR", "TOR", Some(3)),
    ]);
    let players =
        [("p1", "jan-novak", "Jan Novák"), ("p2", "jon-snow", "Jon Snow"), ("p3", "x", "Ján O'Neil")];
    let known = TableWriter::new(contract("t_players").unwrap())
        .texts("player_id", players.map(|player| player.0))
        .texts("slug", players.map(|player| player.1))
        .texts("name", players.map(|player| player.2))
        .finish();
    let metrics = [
        ("p1", "pace", "2024-01-01", Some(0.5), "low"),
        ("p1", "pace", "2024-02-01", Some(0.25), "high"),
        ("p1", "save", "2024-01-15", None, "medium"),
        ("p2", "pace", "2024-01-10", Some(1.0), "medium"),
    ];
    let metrics = TableWriter::new(contract("t_metrics").unwrap())
        .texts("player_id", metrics.map(|row| row.0))
        .texts("metric", metrics.map(|row| row.1))
        .dates("valid_from", metrics.map(|row| Some(day(row.2))))
        .floats("value", metrics.map(|row| row.3))
        .texts("confidence", metrics.map(|row| row.4))
        .finish();
    // The first went from one team to another; the last has too few chances.
    let profiles = [
        ("p1", "TOR", "pace", Some(0.5), "low", "2024-01-01"),
        ("p1", "BOS", "pace", Some(0.25), "high", "2024-02-01"),
        ("p1", "TOR", "save", None, "insufficient", "2024-01-15"),
        ("p2", "TOR", "pace", Some(1.0), "medium", "2024-01-10"),
        ("p2", "TOR", "save", Some(0.75), "high", "2024-01-10"),
        ("p3", "TOR", "pace", None, "insufficient", "2024-01-20"),
    ];
    let profiles = TableWriter::new(contract("t_profiles").unwrap())
        .texts("player_id", profiles.map(|row| row.0))
        .texts("team", profiles.map(|row| row.1))
        .texts("metric", profiles.map(|row| row.2))
        .floats("value", profiles.map(|row| row.3))
        .texts("confidence", profiles.map(|row| row.4))
        .dates("valid_from", profiles.map(|row| Some(day(row.5))))
        .finish();
    let named = [
        ("t_games", all),
        ("t_players", known.unwrap()),
        ("t_metrics", metrics.unwrap()),
        ("t_profiles", profiles.unwrap()),
    ];
    named.map(|(name, rows)| (contract(name).unwrap(), rows))
}

pub(super) fn of_tables(tables: CatalogTables) -> CatalogSnapshot {
    CatalogSnapshot { tables, ..CatalogSnapshot::default() }
}
