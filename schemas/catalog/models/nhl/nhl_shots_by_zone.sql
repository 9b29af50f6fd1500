-- Shots on goal of regular seasons with the goalie who faced them, by zone about the nearer goal, whose line
-- is at x = 89 feet. Left and right are those of who looks at the goal from the middle.
WITH turned AS (
    SELECT
        s.goalie_id AS player_id,
        g.game_id,
        g.season,
        g.league_date,
        abs(s.x) AS x,
        CASE WHEN s.x < 0 THEN -s.y ELSE s.y END AS y,
        s.is_goal
    FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id)
    WHERE g.phase = 'regular' AND s.goalie_id IS NOT NULL AND s.x IS NOT NULL AND s.y IS NOT NULL
)

SELECT
    *,
    CASE
        WHEN x > 89 THEN 'behind' WHEN x >= 69 AND abs(y) <= 9 THEN 'inner' WHEN x < 54 THEN 'point'
        WHEN abs(y) <= 22 THEN 'slot' WHEN y > 0 THEN 'left' ELSE 'right'
    END AS zone
FROM turned
