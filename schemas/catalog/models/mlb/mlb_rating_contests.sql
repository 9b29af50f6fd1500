-- Games as they move the ratings of teams: all of one day are rated from the ratings before it. Which games were
-- played on neutral ground is captured of too few: the first side counts as at home.
SELECT
    game_id AS contest,
    'league' AS pool,
    league_date - DATE '1900-01-01' AS step,
    league_date AS played_on,
    season,
    home_id AS first,
    away_id AS second,
    home_name AS first_name,
    away_name AS second_name,
    CASE WHEN home_score > away_score THEN 1.0 WHEN home_score < away_score THEN 0.0 ELSE 0.5 END AS score,
    abs(home_score - away_score) AS margin,
    false AS is_neutral
FROM mlb_games
WHERE
    status = 'final' AND phase IN ('regular', 'playoffs')
    AND league_date IS NOT NULL
    AND home_score IS NOT NULL AND away_score IS NOT NULL AND home_id IS NOT NULL AND away_id IS NOT NULL
