use fdna_schemas::Term;

use super::*;

/// Teams of a made-up league in rounds of a week; what they count depends on team and round alone.
const OBSERVATIONS: &str = "
    WITH played AS (
        SELECT t AS team, r AS round, hash(t * 1000 + r) AS dice FROM range(20) AS x(t), range(60) AS y(r)
        WHERE hash(r * 31 + t) % 9 <> 0
    ), counted AS (
        SELECT 'team-' || lpad(CAST(team AS VARCHAR), 2, '0') AS team_slug, DATE '2024-01-06' + CAST(round * 7 AS INTEGER) AS match_date,
               CASE WHEN round % 2 = 0 THEN 'home' ELSE 'away' END AS ground, team, dice FROM played
    ), valued AS (
        SELECT *, CAST(dice % 4 AS INTEGER) AS goals, CAST((dice >> 8) % 4 AS INTEGER) AS o_goals,
               CAST((dice >> 16) % 20000 + team * 300 AS INTEGER) AS xg_e4, CAST((dice >> 24) % 20000 AS INTEGER) AS o_xg_e4,
               CAST((dice >> 12) % 4000 AS INTEGER) AS set_play_xg_e4, CAST((dice >> 20) % 15 + team AS INTEGER) AS shots,
               CAST((dice >> 28) % 15 AS INTEGER) AS o_shots, CAST((dice >> 4) % 8 AS INTEGER) AS shots_on_target,
               CAST((dice >> 6) % 8 AS INTEGER) AS o_shots_on_target, CAST((dice >> 9) % 5 AS INTEGER) AS big_chances,
               CAST((dice >> 11) % 5 AS INTEGER) AS o_big_chances, CAST(350 + (dice >> 13) % 300 AS INTEGER) AS possession_e3,
               CAST((dice >> 15) % 40 AS INTEGER) AS box_touches, CAST((dice >> 17) % 40 AS INTEGER) AS o_box_touches,
               CAST(300 + (dice >> 19) % 300 AS INTEGER) AS o_passes, CAST((dice >> 21) % 15 AS INTEGER) AS fouls,
               CAST((dice >> 23) % 12 AS INTEGER) AS interceptions,
               CASE WHEN (dice >> 25) % 3 > 0 THEN CAST((dice >> 26) % 20 AS INTEGER) END AS tackles_won
        FROM counted
    )
    SELECT v.* EXCLUDE (ground, team, dice), venue, '2024' AS season, 1 AS matches
    FROM valued AS v JOIN (VALUES ('all'), ('home'), ('away')) AS w (venue) ON w.venue IN ('all', v.ground)";

fn dna() -> &'static CatalogDna {
    CatalogDna::of_sport("soccer").find(|dna| dna.name == "soccer_team_dna").unwrap()
}

/// The tables made of those observations for which `which` holds.
fn made(which: &str) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let table = dna().observations();
    let sql = format!("CREATE TABLE {table} AS SELECT * FROM ({OBSERVATIONS}) WHERE {which}");
    connection.execute_batch(&sql).unwrap();
    make_tables(&connection, dna()).unwrap();
    connection
}

fn count(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn added(terms: &[Term], per: f64) -> String {
    let terms: Vec<_> = terms.iter().map(|term| format!("CAST({term} AS DOUBLE)")).collect();
    format!("({}) / {per:?}", terms.join(" + "))
}

/// Versions of a metric whose values are not those of the formula, recomputed in SQL from the observations before each.
fn differing(connection: &Connection, pool: &str, metric: &Metric, games: usize) -> i64 {
    let (y, d) =
        (added(&metric.numerator, metric.numerator_per), added(&metric.denominator, metric.denominator_per));
    let strength = metric.prior_observations.unwrap();
    let sql = format!(
        "WITH parts AS (
             SELECT team_slug, match_date, {y} AS y, {d} AS d FROM soccer_team_observations WHERE venue = '{pool}'
         ), versions AS (
             SELECT * FROM soccer_team_dna WHERE pool = '{pool}' AND metric = '{name}'
         ), own AS (
             SELECT v.team_slug, v.valid_from, p.y, p.d,
                    row_number() OVER (PARTITION BY v.team_slug, v.valid_from ORDER BY p.match_date DESC) AS n
             FROM versions AS v JOIN parts AS p ON p.team_slug = v.team_slug AND p.match_date < v.valid_from
         ), sums AS (
             SELECT team_slug, valid_from, sum(y) AS y, sum(d) AS d, count(*) FILTER (y IS NOT NULL AND d IS NOT NULL) AS games
             FROM own WHERE n <= {games} AND y IS NOT NULL AND d IS NOT NULL GROUP BY ALL
         ), pool AS (
             SELECT v.valid_from, sum(p.y) AS y, sum(p.d) AS d, count(*) FILTER (p.d > 0) AS n
             FROM (SELECT DISTINCT valid_from FROM versions) AS v JOIN parts AS p
               ON p.match_date < v.valid_from AND p.match_date >= v.valid_from - INTERVAL 24 MONTH
             WHERE p.y IS NOT NULL AND p.d IS NOT NULL GROUP BY ALL
         ), expected AS (
             SELECT s.team_slug, s.valid_from, s.games, CASE WHEN p.n >= 100 THEN p.y / p.d END AS mean,
                    {strength:?} * p.d / p.n AS k, s.y, s.d
             FROM sums AS s JOIN pool AS p USING (valid_from)
         )
         SELECT count(*) FROM versions AS v LEFT JOIN expected AS e USING (team_slug, valid_from)
         WHERE coalesce(v.games, 0) <> coalesce(e.games, 0)
            OR abs(v.value - (e.y + e.k * e.mean) / (e.d + e.k)) > 1e-9 * greatest(1, abs(v.value))
            OR (v.value IS NOT NULL AND e.mean IS NULL)
            OR abs(v.raw_value - e.y / e.d) > 1e-9 * greatest(1, abs(v.raw_value))
            OR abs(v.weight - e.d / (e.d + e.k)) > 1e-9",
        name = metric.name,
    );
    count(connection, &sql)
}

#[test]
fn every_value_is_that_of_the_formula() {
    let connection = made("true");
    for (pool, games) in [("all", 38), ("home", 19)] {
        for metric in &dna().definitions(pool).metrics {
            assert_eq!(differing(&connection, pool, metric, games), 0, "{pool} {}", metric.name);
        }
    }
    let known = count(&connection, "SELECT count(*) FROM soccer_team_dna WHERE value IS NOT NULL");
    assert!(known > 20_000, "{known}");
    // What is compared depends on the window.
    assert!(differing(&connection, "all", &dna().definitions("all").metrics[0], 37) > 100);
}

#[test]
fn what_comes_later_changes_nothing_before_it() {
    let (whole, cut) = (made("true"), made("match_date < DATE '2024-11-01'"));
    let rows = |connection: &Connection| {
        let sql = "SELECT COLUMNS(*)::VARCHAR FROM soccer_team_dna WHERE valid_from <= DATE '2024-11-01' ORDER BY ALL";
        let rows = query_rows(connection, "test", sql).unwrap();
        assert!(rows.num_rows() > 10_000);
        rows
    };
    assert_eq!(rows(&whole), rows(&cut));
}

#[test]
fn observations_without_a_subject_or_of_another_pool_are_refused() {
    let refused = |change: &str| {
        let connection = Connection::open_in_memory().unwrap();
        let table = dna().observations();
        let sql =
            format!("CREATE TABLE {table} AS SELECT * FROM ({OBSERVATIONS}); UPDATE {table} SET {change}");
        connection.execute_batch(&sql).unwrap();
        make_tables(&connection, dna()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(
            "season = NULL WHERE venue = 'all' AND team_slug = 'team-03'
                 AND match_date = (SELECT min(match_date) FROM soccer_team_observations WHERE team_slug = 'team-03')"
        ),
        "cannot derive `soccer_team_dna`: season is null in 1 rows of soccer_team_observations"
    );
    assert_eq!(
        refused("venue = 'neutral' WHERE venue = 'home' AND team_slug = 'team-03'"),
        "cannot derive `soccer_team_dna`: soccer_team_observations has the pool `neutral`, for which there is no metric"
    );
}
