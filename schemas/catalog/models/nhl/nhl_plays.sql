-- Plays of games: all of them where there is an official report, else the goals and penalties of a recorded
-- page in order of the clock.
WITH recorded AS (
    SELECT
        game_id,
        period,
        period_type,
        clock_secs,
        CASE period_type WHEN 'SO' THEN 'shootout_winner' ELSE 'goal' END AS kind,
        team_abbr,
        player_id,
        player_name,
        assist1_id,
        assist1_name,
        assist2_id,
        assist2_name,
        strength,
        modifier,
        shot_type,
        home_goals AS home_score,
        away_goals AS away_score,
        file,
        line
    FROM nhl_api_web_recorded_goals
    UNION ALL BY NAME
    SELECT
        game_id,
        period,
        period_type,
        clock_secs,
        'penalty' AS kind,
        team_abbr,
        player_name,
        penalty,
        penalty_type,
        penalty_mins,
        drawn_by_name,
        served_by_name,
        file,
        line
    FROM nhl_api_web_recorded_penalties
)

SELECT
    * EXCLUDE (file, line),
    'goals_and_penalties' AS extent,
    row_number() OVER (PARTITION BY game_id ORDER BY period, clock_secs, kind, file, line) AS seq
FROM recorded WHERE game_id NOT IN (SELECT game_id FROM nhl_report_plays)
UNION ALL BY NAME
SELECT
    *,
    'all_plays' AS extent
FROM nhl_report_plays
