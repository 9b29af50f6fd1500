-- Goalies in games, from the boxes. Shots are saves and goals, by strength of the teams.
SELECT b.player_id, b.game_id, g.season, g.phase, g.league_date, b.player_name, b.sweater_number, b.team_abbr,
       CASE b.home_away WHEN 'home' THEN g.away_abbr ELSE g.home_abbr END AS opponent_abbr, b.home_away = 'home' AS is_home,
       b.is_starter, b.decision, b.toi_secs, b.shots_against, b.saves, b.goals_against,
       CAST(b.saves AS DOUBLE) / nullif(b.shots_against, 0) AS save_pct,
       b.even_strength_saves, b.even_strength_goals_against, b.power_play_saves, b.power_play_goals_against,
       b.shorthanded_saves, b.shorthanded_goals_against, b.pim
FROM nhl_placed_players AS b JOIN nhl_games AS g ON g.game_id = b.game_id WHERE b.is_goalie
