-- Players with the last version of each of their metrics, once for each metric by which their pool can be ordered and for each
-- least confidence of the metrics that are kept. Greatest value first; who has no value of the metric is last.
WITH versions AS (
    SELECT player_id, player_name, season, pool, metric, label, unit, direction, class, status, value, raw_value, low, high,
           weight,
           pool_mean, games, exposure, confidence, percentile, pool_size, valid_from
    FROM nfl_player_dna
    UNION ALL
    SELECT player_id, player_name, season, pool, metric, label, unit, direction, class, status, value, raw_value, low, high,
           weight,
           pool_mean, games, exposure, confidence, percentile, pool_size, valid_from
    FROM nfl_qb_tracking_dna
), newest AS (
    SELECT * FROM versions QUALIFY row_number() OVER (PARTITION BY pool, player_id, metric ORDER BY valid_from DESC) = 1
), played AS (
    SELECT player_id, team_id, season FROM nfl_box_players WHERE phase = 'regular'
    QUALIFY row_number() OVER (PARTITION BY player_id ORDER BY league_date DESC, game_id DESC, team_id) = 1
), tracked AS (
    SELECT t.player_id, s.team_id, CAST(t.season AS VARCHAR) AS season
    FROM nfl_release_export_tracking AS t JOIN nfl_spellings AS s ON s.spelling = t.team_abbr WHERE t.week > 0
    QUALIFY row_number() OVER (PARTITION BY t.player_id ORDER BY t.season DESC, t.week DESC, s.team_id) = 1
), sorts AS (
    SELECT DISTINCT pool, metric AS sorted_by FROM newest
), players AS (
    SELECT DISTINCT pool, player_id FROM newest
), places AS (
    SELECT p.pool, s.sorted_by, p.player_id,
           row_number() OVER (PARTITION BY p.pool, s.sorted_by ORDER BY n.value DESC NULLS LAST, p.player_id) AS place
    FROM players AS p JOIN sorts AS s USING (pool)
    LEFT JOIN newest AS n ON (n.pool, n.player_id, n.metric) = (p.pool, p.player_id, s.sorted_by)
), levels AS (
    SELECT * FROM (VALUES ('any', 0), ('low', 1), ('medium', 2), ('high', 3)) AS l(min_confidence, least)
), kept AS (
    SELECT n.pool, n.player_id, l.min_confidence, max(n.player_name) AS player_name,
           list({metric: n.metric, label: n.label, unit: n.unit, direction: n.direction, class: n.class, status: n.status,
                 value: n.value, raw: n.raw_value, low: n.low, high: n.high, n: n.games, exposure: n.exposure, weight: n.weight,
                 pool_mean: n.pool_mean, confidence: n.confidence, percentile: n.percentile, pool_size: n.pool_size,
                 season: n.season, valid_from: CAST(n.valid_from AS VARCHAR)} ORDER BY n.metric) AS metrics
    FROM newest AS n
    JOIN levels AS l ON CASE n.confidence WHEN 'high' THEN 3 WHEN 'medium' THEN 2 WHEN 'low' THEN 1 ELSE 0 END >= l.least
    GROUP BY n.pool, n.player_id, l.min_confidence
)
SELECT p.pool, p.sorted_by, k.min_confidence, CAST(p.place AS INTEGER) AS place, p.player_id, i.espn_id, i.profile_id,
       coalesce(k.player_name, i.player_name) AS player_name, coalesce(t.team_id, b.team_id) AS team_id,
       coalesce(t.season, b.season) AS team_season, k.metrics
FROM places AS p JOIN kept AS k USING (pool, player_id)
LEFT JOIN nfl_players AS i USING (player_id) LEFT JOIN played AS b USING (player_id) LEFT JOIN tracked AS t USING (player_id)
