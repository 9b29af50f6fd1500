-- What each source tells of a game, in one form. Sources number phases and name states in their own ways;
-- `preference` tells whose word counts where two say the same of the state.
WITH numbered AS (
    SELECT
        3 AS preference,
        captured_at,
        game_id,
        season_code,
        game_type,
        league_date,
        starts_at,
        game_state,
        schedule_state,
        home_abbr,
        away_abbr,
        home_score,
        away_score,
        last_period_type,
        venue
    FROM nhl_api_web_recorded_schedule
    UNION ALL
    SELECT
        4,
        captured_at,
        game_id,
        season_code,
        game_type,
        league_date,
        starts_at,
        game_state,
        schedule_state,
        home_abbr,
        away_abbr,
        home_score,
        away_score,
        last_period_type,
        venue
    FROM nhl_api_web_examples_schedule
    UNION ALL
    SELECT DISTINCT
        5,
        captured_at,
        game_id,
        season_code,
        game_type,
        league_date,
        starts_at,
        game_state,
        schedule_state,
        home_abbr,
        away_abbr,
        home_score,
        away_score,
        last_period_type,
        venue
    FROM nhl_api_web_recorded_goals
),

lettered AS (
    SELECT
        1 AS preference,
        captured_at,
        game_id,
        season_code,
        game_type,
        game_date AS league_date,
        CAST(NULL AS TIMESTAMP) AS starts_at,
        game_state,
        home_abbr,
        away_abbr,
        home_score,
        away_score,
        venue,
        CAST(NULL AS VARCHAR) AS series_letter,
        CAST(NULL AS INTEGER) AS playoff_round,
        CAST(NULL AS INTEGER) AS series_game_number
    FROM nhl_boxes_games
    UNION ALL
    SELECT
        2,
        captured_at,
        game_id,
        season_code,
        game_type,
        league_date,
        starts_at,
        game_state,
        home_abbr,
        away_abbr,
        home_score,
        away_score,
        venue,
        series_letter,
        playoff_round,
        series_game_number
    FROM nhl_boxes_schedule
),

told AS (
    SELECT
        *,
        CASE game_type
            WHEN 'R' THEN 'regular' WHEN 'P' THEN 'playoffs' WHEN 'PR' THEN 'preseason'
            ELSE 'all_star'
        END AS phase
    FROM lettered
    UNION ALL BY NAME
    SELECT
        *,
        CASE game_type
            WHEN '1' THEN 'preseason' WHEN '2' THEN 'regular' WHEN '3' THEN 'playoffs'
            WHEN '4' THEN 'all_star' ELSE 'other'
        END AS phase
    FROM numbered
)

SELECT
    preference,
    captured_at,
    game_id,
    substr(season_code, 1, 4) || '-' || substr(season_code, 7, 2) AS season,
    phase,
    league_date,
    starts_at,
    CASE
        WHEN schedule_state = 'PPD' THEN 'postponed' WHEN schedule_state = 'CNCL' THEN 'cancelled'
        WHEN schedule_state = 'SUSP' THEN 'suspended'
        WHEN game_state IN ('OFF', 'FINAL') THEN 'final' WHEN game_state IN ('LIVE', 'CRIT', 'OVER') THEN 'in_progress'
        WHEN game_state IN ('FUT', 'PRE') THEN 'scheduled'
    END AS status,
    home_abbr,
    away_abbr,
    home_score,
    away_score,
    venue,
    series_letter,
    playoff_round,
    series_game_number,
    CASE last_period_type WHEN 'REG' THEN 'regulation' WHEN 'OT' THEN 'overtime' WHEN 'SO' THEN 'shootout' END
        AS ended_in
FROM told WHERE league_date IS NOT NULL
