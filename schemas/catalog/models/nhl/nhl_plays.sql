-- Plays of games with a recorded page, in order: their goals. Penalties stand in the same files, of which one list is read.
SELECT game_id, row_number() OVER (PARTITION BY game_id ORDER BY captured_at DESC, file, line) AS seq, period, period_type, clock_secs,
       CASE period_type WHEN 'SO' THEN 'shootout_winner' ELSE 'goal' END AS kind, team_abbr, player_id, player_name, assist1_id,
       assist1_name, assist2_id, assist2_name, strength, modifier, shot_type, home_goals AS home_score, away_goals AS away_score
FROM nhl_api_web_recorded_goals
