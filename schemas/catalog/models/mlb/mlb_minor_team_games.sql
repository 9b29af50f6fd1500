-- Games of minor-league schedules from the side of each club.
SELECT
    home_id AS team_id,
    season,
    league_date,
    starts_at,
    game_id,
    phase,
    status,
    true AS is_home,
    away_id AS opponent_id,
    away_name AS opponent_name,
    home_score AS runs,
    away_score AS opponent_runs
FROM mlb_minor_games
WHERE phase IS NOT NULL AND home_id IS NOT NULL
UNION ALL
SELECT
    away_id,
    season,
    league_date,
    starts_at,
    game_id,
    phase,
    status,
    false,
    home_id,
    home_name,
    away_score,
    home_score
FROM mlb_minor_games WHERE phase IS NOT NULL AND away_id IS NOT NULL
