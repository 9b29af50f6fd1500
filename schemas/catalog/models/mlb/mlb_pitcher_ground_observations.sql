-- What DNA of pitchers' ground balls is made of: a row for each pitcher and regular game of Retrosheet in
-- which he faced a batter, since no other source of regular games says how balls were hit.
WITH grounded AS (
    SELECT
        game_id,
        pitcher_id,
        CAST(sum(ground_balls) AS BIGINT) AS ground_balls,
        CAST(sum(batted_balls) AS BIGINT) AS batted_balls
    FROM mlb_batted_balls GROUP BY game_id, pitcher_id
)

SELECT
    p.player_id,
    coalesce(p.player_name, p.player_id) AS player_name,
    g.season,
    'pitchers' AS pool,
    g.last_day,
    coalesce(t.ground_balls, 0) AS ground_balls,
    coalesce(t.batted_balls, 0) AS batted_balls
FROM mlb_pitching_lines AS p JOIN mlb_game_ends AS g USING (game_id)
LEFT JOIN grounded AS t ON (t.game_id, t.pitcher_id) = (p.game_id, p.player_id)
WHERE p.is_walked AND g.phase = 'regular' AND p.batters_faced > 0
