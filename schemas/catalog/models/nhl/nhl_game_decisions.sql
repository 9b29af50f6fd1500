-- How final games were decided. After a shoot-out the winner has one goal more than his skaters scored.
-- Overtime ends with one goal of difference, in period 4 or later; without shots nobody can tell it from
-- regulation then.
WITH scored AS (
    SELECT
        game_id,
        sum(CASE WHEN home_away = 'home' THEN goals ELSE 0 END) AS home_scored,
        sum(CASE WHEN home_away = 'away' THEN goals ELSE 0 END) AS away_scored
    FROM nhl_placed_players WHERE NOT is_goalie GROUP BY game_id
),

goals AS (
    SELECT
        game_id,
        max(period) AS last_period
    FROM nhl_shots_shots WHERE is_goal GROUP BY game_id
)

SELECT
    g.game_id,
    CASE
        WHEN abs(g.home_score - g.away_score) > 1 THEN 'regulation'
        WHEN s.home_scored + s.away_scored + 1 = g.home_score + g.away_score THEN 'shootout'
        WHEN goals.last_period >= 4 THEN 'overtime'
        WHEN goals.last_period IS NOT NULL THEN 'regulation'
    END AS decided_in
FROM nhl_boxes_games AS g LEFT JOIN scored AS s USING (game_id) LEFT JOIN goals USING (game_id)
WHERE g.home_score IS NOT NULL AND g.away_score IS NOT NULL
