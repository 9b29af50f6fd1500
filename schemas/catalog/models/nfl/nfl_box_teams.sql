-- A team in a game of the game centre.
SELECT
    l.game_id,
    g.market_id,
    l.side = 'home' AS is_home,
    CASE l.side WHEN 'home' THEN g.home_id ELSE g.away_id END AS team_id,
    CASE l.side WHEN 'home' THEN g.home_abbr ELSE g.away_abbr END AS team_abbr,
    CASE l.side WHEN 'home' THEN g.home_score ELSE g.away_score END AS points,
    l.first_downs,
    l.yards,
    l.passing_yards,
    l.rushing_yards,
    l.penalties,
    l.penalty_yards,
    l.turnovers,
    l.punts,
    l.punt_yards,
    l.possession_secs
FROM nfl_gamecenter_team_lines AS l JOIN nfl_games AS g USING (game_id)
