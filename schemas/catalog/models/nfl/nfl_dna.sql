-- Players with the last version of each of their metrics, once for each metric by which their pool can be ordered: greatest value
-- first, those without a value of it last.
WITH versions AS (
    SELECT player_id, player_name, season, pool, metric, label, unit, direction, class, status, value, raw_value, low, high,
           weight, pool_mean, games, exposure,
           confidence, percentile, pool_size, valid_from FROM nfl_player_dna
    UNION ALL
    SELECT player_id, player_name, season, pool, metric, label, unit, direction, class, status, value, raw_value, low, high,
           weight, pool_mean, games, exposure,
           confidence, percentile, pool_size, valid_from FROM nfl_qb_tracking_dna
), newest AS (
    SELECT * FROM versions QUALIFY row_number() OVER (PARTITION BY pool, player_id, metric ORDER BY valid_from DESC) = 1
), teams AS (
    SELECT player_id, team_id FROM nfl_box_players WHERE phase = 'regular'
    QUALIFY row_number() OVER (PARTITION BY player_id ORDER BY league_date DESC, game_id DESC, team_id) = 1
), tracked AS (
    SELECT t.player_id, s.team_id FROM nfl_release_export_tracking AS t JOIN nfl_spellings AS s ON s.spelling = t.team_abbr
           WHERE t.week > 0
    QUALIFY row_number() OVER (PARTITION BY t.player_id ORDER BY t.season DESC, t.week DESC, s.team_id) = 1
), players AS (
    SELECT DISTINCT pool, player_id FROM newest
), sorts AS (
    SELECT DISTINCT pool, metric AS sorted_by FROM newest
), places AS (
    SELECT p.pool, s.sorted_by, p.player_id, row_number() OVER (PARTITION BY p.pool, s.sorted_by ORDER BY n.value DESC NULLS LAST,
           p.player_id) AS place
    FROM players AS p JOIN sorts AS s USING (pool)
    LEFT JOIN newest AS n ON (n.pool, n.player_id, n.metric) = (p.pool, p.player_id, s.sorted_by)
)
SELECT l.pool, l.sorted_by, CAST(l.place AS INTEGER) AS place, l.player_id, i.espn_id, i.profile_id,
       coalesce(n.player_name, i.player_name) AS player_name,
       coalesce(k.team_id, t.team_id) AS team_id, n.metric, n.label, n.unit, n.direction, n.class, n.value, n.raw_value, n.low,
           n.high, n.weight, n.pool_mean, n.games,
       n.exposure, n.confidence, n.percentile, n.pool_size, n.status, n.season, n.valid_from
FROM places AS l JOIN newest AS n USING (pool, player_id)
LEFT JOIN nfl_players AS i USING (player_id) LEFT JOIN teams AS t USING (player_id) LEFT JOIN tracked AS k USING (player_id)
