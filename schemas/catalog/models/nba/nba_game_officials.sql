-- Referees of games with a recorded summary.
SELECT
    game_id,
    official_id,
    concat_ws(' ', first_name, last_name) AS official_name,
    trim(number) AS number
FROM nba_stats_recorded_officials
