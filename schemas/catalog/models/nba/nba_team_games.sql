-- Games from the side of each team. The result is that of a final game alone.
WITH sides AS (
    SELECT
        *,
        home_id AS team_id,
        home_abbr AS team_abbr,
        away_id AS opponent_id,
        away_abbr AS opponent_abbr,
        away_name AS opponent_name,
        true AS is_home,
        home_score AS points_for,
        away_score AS points_against
    FROM nba_games
    UNION ALL
    SELECT
        *,
        away_id,
        away_abbr,
        home_id,
        home_abbr,
        home_name,
        false,
        away_score,
        home_score
    FROM nba_games
)

SELECT
    team_id,
    game_id,
    season,
    phase,
    league_date,
    starts_at,
    status,
    team_abbr,
    opponent_id,
    opponent_abbr,
    opponent_name,
    CASE WHEN is_neutral IS NOT TRUE THEN is_home END AS is_home,
    CASE WHEN status = 'final' THEN points_for END AS points_for,
    CASE WHEN status = 'final' THEN points_against END AS points_against,
    CASE
        WHEN status <> 'final' OR points_for IS NULL OR points_against IS NULL OR points_for = points_against THEN NULL
        WHEN points_for > points_against THEN 'W' ELSE 'L'
    END AS result,
    arena,
    label
FROM sides WHERE team_id IS NOT NULL
