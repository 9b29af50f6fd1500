-- Games as they move the ratings of teams: all of one day are rated from the ratings before it. The first side
-- counts as at home unless the ground is known to be neutral.
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
    coalesce(is_neutral, false) AS is_neutral
FROM nba_games
WHERE
    status = 'final' AND phase IN ('regular', 'play_in', 'playoffs', 'cup_final')
    AND league_date IS NOT NULL
    AND home_score IS NOT NULL AND away_score IS NOT NULL AND home_id IS NOT NULL AND away_id IS NOT NULL
