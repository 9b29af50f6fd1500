-- What DNA of batters is made of: a row for each batter and regular game in which he came to bat. Who bats
-- only because he pitches is no batter. Ground balls are null where no source says how balls were hit.
WITH grounded AS (
    SELECT
        game_id,
        batter_id,
        CAST(sum(ground_balls) AS BIGINT) AS ground_balls,
        CAST(sum(batted_balls) AS BIGINT) AS batted_balls
    FROM mlb_batted_balls GROUP BY game_id, batter_id
)

SELECT
    b.player_id,
    b.game_id,
    coalesce(b.player_name, b.player_id) AS player_name,
    g.season,
    'batters' AS pool,
    g.last_day,
    b.plate_appearances,
    b.strikeouts,
    b.walks,
    b.home_runs,
    b.hits - b.home_runs AS hits_in_play,
    b.at_bats - b.strikeouts - b.home_runs + b.sacrifice_flies AS balls_in_play,
    b.doubles + 2 * b.triples + 3 * b.home_runs AS extra_bases,
    b.at_bats,
    CASE WHEN b.is_walked THEN coalesce(t.ground_balls, 0) END AS ground_balls,
    CASE WHEN b.is_walked THEN coalesce(t.batted_balls, 0) END AS batted_balls
FROM mlb_batting_lines AS b JOIN mlb_game_ends AS g USING (game_id)
LEFT JOIN grounded AS t ON (t.game_id, t.batter_id) = (b.game_id, b.player_id)
WHERE
    g.phase = 'regular'
    AND b.plate_appearances > 0
    AND NOT regexp_matches(coalesce(b.positions, ''), '^(PH-|PR-)?P(-|$)')
