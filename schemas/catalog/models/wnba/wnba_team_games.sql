-- Games from the side of each club.
WITH sides AS (
    SELECT
        *,
        home_abbr AS team_abbr,
        away_abbr AS opponent_abbr,
        away_name AS opponent_name,
        true AS is_home,
        home_score AS points_for,
        away_score AS points_against
    FROM wnba_games
    UNION ALL
    SELECT
        *,
        away_abbr,
        home_abbr,
        home_name,
        false,
        away_score,
        home_score
    FROM wnba_games
)

SELECT
    team_abbr,
    game_id,
    season,
    phase,
    league_date,
    starts_at,
    status,
    opponent_abbr,
    opponent_name,
    is_home,
    points_for,
    points_against,
    CASE WHEN points_for > points_against THEN 'W' WHEN points_for < points_against THEN 'L' END AS result
FROM sides WHERE team_abbr IN (SELECT abbr FROM wnba_clubs)
