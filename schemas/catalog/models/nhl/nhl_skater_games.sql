-- Skaters in games, from the boxes.
SELECT b.player_id, b.game_id, g.season, g.phase, g.league_date, b.player_name, b.position, b.sweater_number, b.team_abbr,
       CASE b.home_away WHEN 'home' THEN g.away_abbr ELSE g.home_abbr END AS opponent_abbr, b.home_away = 'home' AS is_home,
       b.goals, b.assists, b.points, b.plus_minus, b.pim, b.shots_on_goal, b.hits, b.blocked_shots, b.power_play_goals,
       b.faceoff_win_share, b.toi_secs, b.shifts, b.giveaways, b.takeaways
FROM nhl_placed_players AS b JOIN nhl_games AS g ON g.game_id = b.game_id WHERE NOT b.is_goalie
