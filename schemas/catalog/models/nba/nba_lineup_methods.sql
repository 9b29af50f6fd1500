-- How the five of a game are known, and the share of recorded player-seconds at which the estimate has the
-- same player on court.
WITH overlap AS (
    SELECT
        r.game_id,
        sum(greatest(0, least(r.to_secs, e.to_secs) - greatest(r.from_secs, e.from_secs))) AS secs
    FROM nba_court_times AS r JOIN nba_court_times AS e ON (e.game_id, e.player_id) = (r.game_id, r.player_id)
    WHERE r.method = 'recorded' AND e.method = 'estimated' GROUP BY r.game_id
),

recorded AS (
    SELECT
        game_id,
        sum(to_secs - from_secs) AS secs
    FROM nba_court_times WHERE method = 'recorded' GROUP BY game_id
)

SELECT
    g.game_id,
    CASE WHEN r.secs IS NULL THEN 'estimated' ELSE 'recorded' END AS method,
    round(o.secs / r.secs, 4) AS agreement
FROM (SELECT DISTINCT game_id FROM nba_court_times) AS g
LEFT JOIN recorded AS r USING (game_id)
LEFT JOIN overlap AS o USING (game_id)
