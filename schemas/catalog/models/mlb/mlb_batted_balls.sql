-- Batted balls of a batter against a pitcher in a game, and how many of them were ground balls, where the
-- code of Retrosheet says how the ball was hit: G on the ground, L, F and P in the air, each after a B for
-- a bunt. Home runs are batted balls.
WITH hit AS (
    SELECT
        game_id,
        batter_id,
        pitcher_id,
        regexp_extract(
            regexp_replace(split_part(code, '.', 1), '\([^)]*\)', '', 'g'),
            '/B?([GLFP])(?:DP|TP|[0-9]+[A-Z]*)?[-+]*(?:/|$)', 1
        ) AS trajectory
    FROM mlb_plays
    WHERE
        event IN (
            'field_out', 'single', 'double', 'triple', 'home_run', 'force_out', 'error', 'fielders_choice'
        )
)

SELECT
    game_id,
    batter_id,
    pitcher_id,
    count(*) FILTER (trajectory = 'G') AS ground_balls,
    count(*) AS batted_balls
FROM hit WHERE trajectory <> '' GROUP BY game_id, batter_id, pitcher_id
