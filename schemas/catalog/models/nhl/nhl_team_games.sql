-- Final games by team, newest first: what standings, records and schedules of teams are made of. Points are
-- null where a defeat may have come in overtime and nobody tells.
WITH sides AS (
    SELECT
        game_id,
        season,
        phase,
        league_date,
        starts_at,
        status,
        venue,
        decided_in,
        home_abbr AS team_abbr,
        away_abbr AS opponent_abbr,
        away_name AS opponent_name,
        true AS is_home,
        home_score AS goals_for,
        away_score AS goals_against
    FROM nhl_games
    UNION ALL
    SELECT
        game_id,
        season,
        phase,
        league_date,
        starts_at,
        status,
        venue,
        decided_in,
        away_abbr,
        home_abbr,
        home_name,
        false,
        away_score,
        home_score
    FROM nhl_games
)

SELECT
    *,
    CASE
        WHEN goals_for IS NULL OR goals_against IS NULL THEN NULL WHEN goals_for > goals_against THEN 'W'
        WHEN decided_in IS NULL THEN 'L' WHEN decided_in = 'regulation' THEN 'L'
        WHEN phase = 'playoffs' THEN 'L' ELSE 'OTL'
    END AS result,
    CASE
        WHEN goals_for IS NULL OR goals_against IS NULL THEN NULL WHEN goals_for > goals_against THEN 2
        WHEN decided_in IS NULL THEN NULL WHEN decided_in = 'regulation' THEN 0 ELSE 1
    END AS points
FROM sides
