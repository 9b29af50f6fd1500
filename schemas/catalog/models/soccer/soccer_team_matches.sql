-- Matches by team, from its side.
SELECT
    home_slug AS team_slug,
    'home' AS side,
    away_slug AS opponent_slug,
    away_name AS opponent_name,
    home_score AS goals_for,
    away_score AS goals_against,
    match_id,
    competition,
    competition_name,
    season,
    phase,
    match_date,
    status,
    shootout_winner
FROM soccer_matches
UNION ALL
SELECT
    away_slug,
    'away',
    home_slug,
    home_name,
    away_score,
    home_score,
    match_id,
    competition,
    competition_name,
    season,
    phase,
    match_date,
    status,
    shootout_winner
FROM soccer_matches
