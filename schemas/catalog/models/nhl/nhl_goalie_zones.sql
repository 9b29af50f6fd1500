-- Shots on goal that goalies faced in regular seasons, by zone about the nearer goal, whose line is at x = 89 feet. Left and
-- right are those of who looks at the goal from the middle. It is what was shot and saved, and no chance of a goal.
WITH turned AS (
    SELECT s.goalie_id AS player_id, g.season, abs(s.x) AS x, CASE WHEN s.x < 0 THEN -s.y ELSE s.y END AS y, s.is_goal
    FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id)
    WHERE g.phase = 'regular' AND s.goalie_id IS NOT NULL AND s.x IS NOT NULL AND s.y IS NOT NULL
), zoned AS (
    SELECT *, CASE WHEN x > 89 THEN 'behind' WHEN x >= 69 AND abs(y) <= 9 THEN 'inner' WHEN x < 54 THEN 'point'
        WHEN abs(y) <= 22 THEN 'slot'
                   WHEN y > 0 THEN 'left' ELSE 'right' END AS zone FROM turned
), league AS (
    SELECT season, zone, count(*) AS shots, count(*) FILTER (NOT is_goal) AS saves FROM zoned GROUP BY ALL
), goalies AS (
    SELECT player_id, season, zone, count(*) AS shots, count(*) FILTER (NOT is_goal) AS saves FROM zoned GROUP BY ALL
)
SELECT g.player_id, p.name AS player_name, g.season, g.zone, g.shots, g.saves, CAST(g.saves AS DOUBLE) / g.shots AS save_pct,
       CAST(l.saves AS DOUBLE) / l.shots AS league_save_pct,
       CAST(g.saves * l.shots - l.saves * g.shots AS DOUBLE) / (g.shots * l.shots) AS diff
FROM goalies AS g JOIN league AS l USING (season, zone) LEFT JOIN nhl_players AS p USING (player_id)
