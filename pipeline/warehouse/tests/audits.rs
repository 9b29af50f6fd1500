//! Each audit is silent on the sample and speaks when what it forbids is there.

#[path = "oracle/lake.rs"]
mod lake;

use fdna_schemas::catalog_audits;
use fdna_warehouse::{AUDITS, EngineLimits, TableSelection, Warehouse};

/// Audit, and a query that gives a damaged table in the place of the one that it is named after.
const DAMAGE: &[(&str, &str, &str)] = &[
    (
        "aliases_end_at_an_entity",
        "aliases",
        "SELECT 'fighter' AS kind, uuid()::VARCHAR AS alias_id, uuid()::VARCHAR AS entity_id",
    ),
    (
        "identities_are_one_to_one",
        "identities",
        "SELECT * REPLACE (uuid()::VARCHAR AS entity_id) FROM identities LIMIT 1",
    ),
    ("images_served_are_licensed", "images", "SELECT * REPLACE (NULL AS license) FROM images"),
    ("images_served_are_licensed", "images", "SELECT * REPLACE (true AS is_primary) FROM images"),
    (
        "listings_follow_one_another",
        "bout_listings",
        "SELECT * FROM bout_listings UNION ALL SELECT * FROM bout_listings",
    ),
    ("mentions_resolve", "mentions", "SELECT * REPLACE (uuid()::VARCHAR AS entity_id) FROM mentions"),
    ("mentions_resolve", "wire", "SELECT * FROM wire LIMIT 0"),
    (
        "control_is_known_for_both_or_null",
        "dna_versions",
        "SELECT * REPLACE (CASE WHEN control_share__bouts > 2 THEN control_share__bouts - 1 ELSE control_share__bouts
         END AS control_share__bouts) FROM dna_versions",
    ),
    (
        "control_is_known_for_both_or_null",
        "round_stats",
        "SELECT * REPLACE (CASE WHEN round > 1 THEN control_secs END AS control_secs) FROM round_stats",
    ),
    (
        "counts_agree",
        "round_stats",
        "SELECT * REPLACE (head_landed + 1 AS head_landed) FROM round_stats LIMIT 1",
    ),
    ("counts_agree", "round_stats", "SELECT * REPLACE (round_secs + 1 AS control_secs) FROM round_stats LIMIT 1"),
    ("counts_agree", "results", "SELECT * REPLACE (1 AS total_secs) FROM results"),
    ("ids_resolve", "fighters", "SELECT * FROM fighters OFFSET 1"),
    ("ids_resolve", "results", "SELECT * REPLACE (uuid()::VARCHAR AS winner_id) FROM results WHERE outcome = 'win'"),
    ("ids_resolve", "bouts", "SELECT * REPLACE (fighter_a_id AS fighter_b_id) FROM bouts"),
    (
        "percentiles_have_a_pool",
        "version_metrics",
        "SELECT * REPLACE (29 AS pool_size, 50.0 AS percentile) FROM version_metrics LIMIT 1",
    ),
    (
        "profiles_add_up",
        "finish_profiles",
        "SELECT * REPLACE (bouts + 1 AS bouts) FROM finish_profiles",
    ),
    ("profiles_add_up", "round_profiles", "SELECT * REPLACE (secs - 1 AS secs) FROM round_profiles"),
    ("ratings_follow_one_another", "ratings", "SELECT * REPLACE (rating_after + 1 AS rating_after) FROM ratings"),
    ("ratings_follow_one_another", "ratings", "SELECT * FROM ratings OFFSET 1"),
    (
        "shares_sum_to_one",
        "version_metrics",
        "SELECT * REPLACE (CASE WHEN metric = 'leg_share' THEN value + 1e-6 ELSE value END AS value)
         FROM version_metrics",
    ),
    (
        "shrinkage_is_what_it_says",
        "version_metrics",
        "SELECT * REPLACE (value * 1.000001 AS value) FROM version_metrics",
    ),
    (
        "sides_are_drawn_by_chance",
        "results",
        "SELECT r.* REPLACE (CASE WHEN outcome = 'win' THEN fighter_a_id END AS winner_id)
         FROM results r JOIN bouts USING (bout_id)",
    ),
    (
        "value_is_null_unless_ok",
        "version_metrics",
        "SELECT * REPLACE (coalesce(value, 0.5) AS value) FROM version_metrics",
    ),
    (
        "value_is_null_unless_ok",
        "version_metrics",
        "SELECT * REPLACE (interval_high + 1 AS interval_low) FROM version_metrics",
    ),
    ("versions_are_contiguous", "dna_versions", "SELECT * FROM dna_versions WHERE version <> 2"),
    (
        "versions_are_contiguous",
        "dna_versions",
        "SELECT * REPLACE (last_bout_date AS valid_from) FROM dna_versions",
    ),
    ("versions_follow_the_bouts", "dna_versions", "SELECT * FROM dna_versions OFFSET 1"),
    (
        "zero_denominator_is_null",
        "version_metrics",
        "SELECT * REPLACE (coalesce(raw_value, 0) AS raw_value) FROM version_metrics",
    ),
];

#[test]
fn every_audit_is_silent_on_the_sample_and_finds_what_it_forbids() {
    let (_folder, lake) = lake::sample_lake();
    let warehouse = Warehouse::open(&lake, &TableSelection::Current, &EngineLimits::default()).unwrap();
    for finding in warehouse.run_audits().unwrap() {
        assert_eq!(
            finding.rows.row_count(),
            0,
            "{}: {:?}",
            finding.audit.name,
            finding.rows.first_rows(3).to_json()
        );
    }
    for audit in AUDITS {
        let mut damages = DAMAGE.iter().filter(|(name, ..)| *name == audit.name).peekable();
        assert!(damages.peek().is_some(), "{} is not tried", audit.name);
        for (name, table, damaged) in damages {
            // A table of the session hides the view of that name.
            let hide =
                format!("CREATE TEMP TABLE damaged AS {damaged}; ALTER TABLE damaged RENAME TO {table}");
            warehouse.connection().execute_batch(&hide).unwrap();
            let found = warehouse.query(&audit.sql).unwrap();
            assert!(found.row_count() > 0, "{name} does not see: {damaged}");
            warehouse.connection().execute_batch(&format!("DROP TABLE temp.{table}")).unwrap();
        }
    }
}

/// Rows of a table, as SQL.
type TableRows = (&'static str, &'static str);

/// Audit of the catalog, rows of the tables that it looks at, and what damages them.
type AuditDamage = (&'static str, &'static [TableRows], &'static [&'static str]);

const CATALOG_DAMAGE: &[AuditDamage] = &[
    (
        "nhl/standings_add_up",
        &[(
            "nhl_standings",
            "SELECT '2024-25' AS season, 'WPG' AS team_abbr, 82 AS gp, 56 AS w, 26 AS lost, 22 AS l, 4 AS otl, 116 AS points, 9 AS gf, 4 AS ga, 5 AS diff
             UNION ALL SELECT '2022-23', 'BOS', 82, 65, 17, NULL, NULL, NULL, 9, 4, 5",
        )],
        &["82 AS gp", "26 AS lost", "116 AS points", "5 AS diff"],
    ),
    ("nba/standings_add_up", &[("nba_standings", STANDINGS)], &["82 AS gp", "33 AS home_w", "10 AS road_l"]),
    ("wnba/standings_add_up", &[("wnba_standings", STANDINGS)], &["82 AS gp", "33 AS home_w", "10 AS road_l"]),
    (
        "nfl/standings_add_up",
        &[(
            "nfl_standings",
            "SELECT '2019' AS season, 'BAL' AS team_abbr, 3 AS gp, 2 AS w, 1 AS l, 0 AS t, 1 AS home_w, 1 AS road_w, 0 AS home_l, 1 AS road_l,
                    0 AS home_t, 0 AS road_t, 30 AS points_for, 20 AS points_against
             UNION ALL SELECT '2019', 'CLE', 3, 1, 2, 0, 1, 0, 1, 1, 0, 0, 20, 30",
        )],
        &["3 AS gp", "2 AS w", "1 AS home_w", "30 AS points_for"],
    ),
    (
        "nfl/scores_add_up",
        &[
            ("nfl_games", "SELECT 'g' AS game_id, 10 AS home_score, 7 AS away_score"),
            ("nfl_scoring", "SELECT 'g' AS game_id, 3 AS home_score, 0 AS away_score UNION ALL SELECT 'g', 10, 7"),
        ],
        &["10 AS home_score", "7 AS away_score"],
    ),
    (
        "nfl/quarters_add_up",
        &[(
            "nfl_games",
            "SELECT 'g' AS game_id, 'final' AS status, 'regulation' AS decided_in, 7 AS home_q1, 0 AS home_q2, 3 AS home_q3, 0 AS home_q4,
                    NULL AS home_ot, 10 AS home_score, 0 AS away_q1, 0 AS away_q2, 0 AS away_q3, 7 AS away_q4, NULL AS away_ot, 7 AS away_score",
        )],
        &["7 AS home_q1", "7 AS away_score"],
    ),
    ("nfl/no_impossible_price", &[("nfl_prices", "SELECT 'g' AS game_id, 1 AS seq, 110 AS american UNION ALL SELECT 'g', 2, NULL")], &["110 AS american: 99"]),
    (
        "mlb/no_impossible_price",
        &[(
            "mlb_prices",
            "SELECT 'h2h' AS market, DATE '2023-08-23' AS league_date, 1 AS seq, -120 AS american, 1.83 AS decimal UNION ALL SELECT 'hits', DATE '2026-07-24', 1, 105, NULL",
        )],
        &["-120 AS american: -99", "1.83 AS decimal: 1.0"],
    ),
    (
        "mlb/no_form_of_uncaptured_days",
        &[(
            "mlb_minor_form",
            "SELECT '1' AS player_id, DATE '2025-06-23' AS valid_from, 12 AS last14d_appearances, 12 AS last50_appearances",
        )],
        &["12 AS last14d_appearances: 0", "12 AS last50_appearances: 51"],
    ),
    (
        "soccer/tables_add_up",
        &[(
            "soccer_table",
            "SELECT 'pl' AS competition, '2024-25' AS season, DATE '2025-05-01' AS valid_from, 'a' AS team_slug, 3 AS played, 2 AS won, 1 AS drawn, 0 AS lost,
                    7 AS points, 5 AS goals_for, 1 AS goals_against, 4 AS goal_difference, NULL AS deductions
             UNION ALL SELECT 'pl', '2024-25', DATE '2025-05-01', 'b', 3, 0, 1, 2, 1, 1, 5, -4, NULL",
        )],
        &["3 AS played", "7 AS points", "4 AS goal_difference", "5 AS goals_for"],
    ),
    (
        "mlb/no_game_counts_early",
        &[
            ("mlb_umpire_dna", "SELECT 'u' AS umpire_id, DATE '2019-04-02' AS valid_from, 1 AS games"),
            ("mlb_umpires", "SELECT 'u' AS umpire_id, DATE '2019-04-01' AS league_date, 'g' AS game_id"),
        ],
        &["1 AS games", "'2019-04-01' AS league_date: '2019-04-02'"],
    ),
    (
        "mlb/no_player_game_counts_early",
        &[
            ("mlb_pitcher_dna", "SELECT 'p' AS player_id, DATE '2024-05-02' AS valid_from, 1 AS games"),
            ("mlb_pitcher_ground_dna", "SELECT 'p' AS player_id, DATE '2024-05-02' AS valid_from, 1 AS games"),
            ("mlb_batter_dna", "SELECT 'b' AS player_id, DATE '2024-05-02' AS valid_from, 1 AS games"),
            ("mlb_minor_batter_dna", "SELECT 'm' AS player_id, 'aaa' AS pool, DATE '2025-06-23' AS valid_from, 1 AS games"),
            (
                "mlb_player_splits",
                "SELECT 'batting' AS role, 'b' AS player_id, DATE '2024-05-02' AS valid_from, 1 AS games",
            ),
            (
                "mlb_gamelog",
                "SELECT 'pitching' AS role, 'p' AS player_id, DATE '2024-05-01' AS league_date, 'g' AS game_id
                 UNION ALL SELECT 'batting', 'b', DATE '2024-05-01', 'g'",
            ),
            (
                "mlb_minor_appearances",
                "SELECT 'aaa' AS level, 'm' AS batter_id, true AS is_appearance, DATE '2025-06-22' AS last_day, 'g' AS game_id",
            ),
        ],
        &["1 AS games", "'2024-05-01' AS league_date: '2024-05-02'", "'2025-06-22' AS last_day: '2025-06-23'"],
    ),
    (
        "mlb/no_suspended_game_counts_early",
        &[
            ("mlb_minor_form", "SELECT '1' AS player_id, DATE '2025-06-23' AS valid_from, 1 AS last50_appearances"),
            (
                "mlb_minor_appearances",
                "SELECT '1' AS batter_id, true AS is_appearance, DATE '2025-06-22' AS last_day, 'g' AS game_id",
            ),
        ],
        &["1 AS last50_appearances", "'2025-06-22' AS last_day: '2025-06-23'"],
    ),
    (
        "mlb/pitchers_runs_are_the_score",
        &[
            ("mlb_games", "SELECT 'g' AS game_id, 1 AS home_score, 0 AS away_score"),
            (
                "mlb_pitching_lines",
                "SELECT 'g' AS game_id, true AS is_walked, false AS is_home, 1 AS runs UNION ALL SELECT 'g', true, true, 0",
            ),
        ],
        &["1 AS runs", "0 AS away_score"],
    ),
    (
        "mlb/rates_are_as_printed",
        &[(
            "mlb_player_seasons",
            "SELECT 'a' AS player_id, '2019' AS season, true AS is_derived,
                    json_object('hits', 17, 'at_bats', 80, 'avg', avg, 'obp', 0.312, 'slg', 0.425, 'ops', ops) AS batting,
                    json_object('earned_runs', 22, 'outs', 80, 'walks', 10, 'hits', 20, 'era', era, 'whip', whip) AS pitching
             FROM (SELECT 0.213 AS avg, 0.737 AS ops, 7.43 AS era, 1.13 AS whip)",
        )],
        &["0.213 AS avg: 0.212", "0.737 AS ops: 0.736", "7.43 AS era: 7.42", "1.13 AS whip: 1.12"],
    ),
    (
        "mlb/splits_are_of_the_same_turns",
        &[(
            "mlb_player_splits",
            "SELECT 'batting' AS role, 'b' AS player_id, 'park' AS split, 'a' AS split_value, DATE '2024-05-02' AS valid_from,
                    4 AS plate_appearances, 1 AS strikeouts, 0 AS home_runs
             UNION ALL SELECT 'batting', 'b', 'ground', 'home', DATE '2024-05-02', 4, 1, 0
             UNION ALL SELECT 'batting', 'b', 'opponent_hand', 'left', DATE '2024-05-02', 4, 1, 0",
        )],
        &["4 AS plate_appearances", "1 AS strikeouts", "0 AS home_runs", "'park' AS split: 'ground'"],
    ),
    (
        "nfl/no_game_counts_early",
        &[
            ("nfl_player_dna", "SELECT 'p' AS player_id, DATE '2019-09-09' AS valid_from"),
            ("nfl_qb_tracking_dna", "SELECT 'p' AS player_id, DATE '2019-09-12' AS valid_from, 1 AS games"),
            (
                "nfl_games",
                "SELECT '2019' AS season, 1 AS week, 'regular' AS phase, 'final' AS status, DATE '2019-09-08' AS league_date",
            ),
        ],
        &["'2019-09-09' AS valid_from: '2019-09-08'", "1 AS games", "'final' AS status: 'scheduled'"],
    ),
    (
        "nba/no_game_counts_early",
        &[
            ("nba_player_dna", "SELECT 'p' AS player_id, DATE '2023-10-25' AS valid_from, 1 AS games"),
            (
                "nba_box_players",
                "SELECT 'p' AS player_id, DATE '2023-10-24' AS league_date, 'regular' AS phase, 60 AS secs, 'g' AS game_id",
            ),
        ],
        &["1 AS games", "'2023-10-24' AS league_date: '2023-10-25'", "'regular' AS phase: 'playoffs'"],
    ),
    (
        "nfl/no_team_game_counts_early",
        &[
            ("nfl_team_dna", "SELECT 't' AS team_id, DATE '2019-09-09' AS valid_from, 1 AS games"),
            (
                "nfl_team_games",
                "SELECT 't' AS team_id, DATE '2019-09-08' AS league_date, 'regular' AS phase, 'final' AS status, 'g' AS game_id",
            ),
        ],
        &["1 AS games", "'2019-09-08' AS league_date: '2019-09-09'", "'final' AS status: 'scheduled'"],
    ),
    (
        "nhl/no_skater_game_counts_early",
        &[
            ("nhl_skater_dna", "SELECT 'p' AS player_id, DATE '2024-10-11' AS valid_from, 1 AS games"),
            (
                "nhl_skater_games",
                "SELECT 'p' AS player_id, DATE '2024-10-10' AS league_date, 'regular' AS phase, 'g' AS game_id",
            ),
        ],
        &["1 AS games", "'2024-10-10' AS league_date: '2024-10-11'"],
    ),
    (
        "nhl/no_game_counts_early",
        &[
            ("nhl_goalie_dna", "SELECT 'p' AS player_id, '2024-25' AS season, DATE '2024-10-11' AS valid_from, 1 AS games"),
            (
                "nhl_goalie_games",
                "SELECT 'p' AS player_id, '2024-25' AS season, DATE '2024-10-10' AS league_date, 'g' AS game_id",
            ),
        ],
        &["1 AS games", "'2024-10-10' AS league_date: '2024-10-11'"],
    ),
    (
        "soccer/no_club_goal_counts_early",
        &[
            (
                "soccer_club_goals_dna",
                "SELECT 'a' AS team_slug, 'pl' AS pool, DATE '2024-08-18' AS valid_from, 1 AS games",
            ),
            (
                "soccer_matches",
                "SELECT 'm' AS match_id, 'a' AS home_slug, 'b' AS away_slug, 'pl' AS competition, DATE '2024-08-17' AS match_date,
                        'final' AS status, 'regular' AS phase",
            ),
        ],
        &["1 AS games", "'2024-08-17' AS match_date: '2024-08-18'", "'final' AS status: 'awarded'", "'regular' AS phase: 'knockout'"],
    ),
    (
        "soccer/no_team_counts_early",
        &[
            ("soccer_team_dna", "SELECT 'a' AS team_slug, '2024-25' AS season, DATE '2024-08-18' AS valid_from"),
            (
                "soccer_table",
                "SELECT 'a' AS team_slug, 'pl' AS competition, '2024-25' AS season, DATE '2024-08-18' AS valid_from, 1 AS played",
            ),
            (
                "soccer_matches",
                "SELECT 'a' AS home_slug, 'b' AS away_slug, 'pl' AS competition, '2024-25' AS season, DATE '2024-08-17' AS match_date,
                        1 AS home_score",
            ),
        ],
        &["1 AS played", "1 AS home_score: NULL", "'2024-08-18' AS valid_from: '2024-08-17'"],
    ),
    (
        "tennis/no_final_counts_early",
        &[(
            "tennis_matches",
            "SELECT 'm' AS match_id, 'atp' AS tour, '2024-0404' AS event_ref, 'F' AS round, DATE '2024-03-17' AS last_day",
        )],
        &["'2024-03-17' AS last_day: '2024-03-16'"],
    ),
    (
        "tennis/no_match_counts_early",
        &[
            (
                "tennis_matches",
                "SELECT 'm' AS match_id, 'atp' AS tour, 'e' AS event_ref, 'F' AS round, 7 AS round_place, DATE '2024-03-04' AS event_week,
                        DATE '2024-03-13' AS last_day, true AS has_statistics, 'a' AS winner_slug, 'b' AS loser_slug",
            ),
            (
                "tennis_player_dna",
                "SELECT 'a' AS player_slug, 'all' AS surface, DATE '2024-03-14' AS valid_from, 1 AS games",
            ),
            ("tennis_meetings", "SELECT 'a' AS player_slug, DATE '2024-03-13' AS last_day"),
        ],
        &["1 AS games", "'2024-03-13' AS last_day: '2024-03-10'", "'2024-03-14' AS valid_from: '2024-03-13'"],
    ),
    (
        "wnba/no_game_counts_early",
        &[
            ("wnba_player_dna", "SELECT 'p' AS player_id, DATE '2025-05-17' AS valid_from, 1 AS games"),
            ("wnba_player_games", "SELECT 'p' AS player_id, DATE '2025-05-16' AS league_date, 'g' AS game_id"),
        ],
        &["1 AS games", "'2025-05-16' AS league_date: '2025-05-17'"],
    ),
    ("nhl_goalie_dna/intervals_hold_their_value", &[("nhl_goalie_dna", VERSIONS)], &["0.3 AS low", "0.5 AS weight"]),
    ("nhl_goalie_dna/percentiles_have_a_pool", &[("nhl_goalie_dna", VERSIONS)], &["40 AS percentile"]),
    ("nhl_goalie_dna/shrinkage_is_what_it_says", &[("nhl_goalie_dna", VERSIONS)], &["0.6 AS raw_value", "0.2 AS pool_mean"]),
    ("nhl_goalie_dna/value_is_null_unless_ok", &[("nhl_goalie_dna", VERSIONS)], &["'ok' AS status: 'none'", "0.4 AS value: NULL"]),
];

const STANDINGS: &str = "SELECT '2023-24' AS season, 'BOS' AS team_abbr, 82 AS gp, 64 AS w, 18 AS l, 33 AS home_w, 31 AS road_w, 8 AS home_l, 10 AS road_l";

const VERSIONS: &str = "SELECT 'a' AS player_id, 'ok' AS status, 0.4 AS value, 0.6 AS raw_value, 0.2 AS pool_mean, 0.5 AS weight, 0.3 AS low,
    0.5 AS high, 40 AS percentile, 50 AS pool_size
    UNION ALL SELECT 'b', 'insufficient_sample', NULL, 0.1, 0.2, 0.01, NULL, NULL, NULL, NULL";

#[test]
fn every_audit_of_the_catalog_finds_what_it_forbids_and_nothing_else() {
    let audits = catalog_audits(|_| true);
    // Those of DNA are the same for every table of it.
    let of_dna =
        |name: &str| name.split_once('/').filter(|(of, _)| of.contains('_')).map(|(_, name)| name.to_owned());
    let tried = |name: &str| {
        let is_same = |tried: &str| tried == name || of_dna(name).is_some() && of_dna(name) == of_dna(tried);
        CATALOG_DAMAGE.iter().any(|(tried, ..)| is_same(tried))
    };
    for audit in &audits {
        assert!(tried(&audit.name), "{} is not tried", audit.name);
    }
    for (name, tables, damages) in CATALOG_DAMAGE {
        let audit =
            audits.iter().find(|audit| audit.name == *name).unwrap_or_else(|| panic!("no audit {name}"));
        // With one value of the tables, and its column, in the place of another.
        let found = |from: &str, to: &str| {
            let connection = duckdb::Connection::open_in_memory().unwrap();
            for (table, rows) in *tables {
                let rows = rows.replacen(from, to, 1);
                connection.execute_batch(&format!("CREATE TABLE {table} AS {rows}")).unwrap();
            }
            let sql = format!("SELECT count(*) FROM ({})", audit.sql);
            connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(found("SELECT", "SELECT"), 0, "{name}");
        for damage in *damages {
            let (told, other) = damage.split_once(": ").unwrap_or((damage, "999"));
            let (_, column) = told.split_once(" AS ").unwrap();
            assert!(tables.iter().any(|(_, rows)| rows.contains(told)), "{name}: {told}");
            assert!(
                found(told, &format!("{other} AS {column}")) > 0,
                "{name} does not see {column} = {other}"
            );
        }
    }
}
