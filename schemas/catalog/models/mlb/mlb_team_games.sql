-- Games from the side of each club. The result is that of a final game alone.
WITH listed AS (
    -- Of some games the line-ups alone are captured: they make no schedule of a season.
    SELECT *
    FROM mlb_games
    SEMI JOIN (SELECT game_id FROM mlb_source_games WHERE source <> 'lineups') AS t USING (game_id)
),

sides AS (
    SELECT
        *,
        home_id AS team_id,
        home_abbr AS abbr,
        away_id AS opponent_id,
        away_abbr AS opponent_abbr,
        away_name AS opponent_name,
        true AS is_home,
        home_score AS runs_for,
        away_score AS runs_against
    FROM listed
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
    FROM listed
)

SELECT
    team_id,
    game_id,
    season,
    phase,
    league_date,
    starts_at,
    game_number,
    status,
    sides.abbr,
    opponent_id,
    opponent_abbr,
    opponent_name,
    is_home,
    CASE WHEN status = 'final' THEN runs_for END AS runs_for,
    CASE WHEN status = 'final' THEN runs_against END AS runs_against,
    CASE
        WHEN status <> 'final' OR runs_for IS NULL OR runs_against IS NULL OR runs_for = runs_against THEN NULL
        WHEN runs_for > runs_against THEN 'W' ELSE 'L'
    END AS result,
    venue,
    is_partial,
    c.retro_code,
    c.espn_abbr,
    c.other_abbr
FROM sides JOIN mlb_clubs AS c USING (team_id)
