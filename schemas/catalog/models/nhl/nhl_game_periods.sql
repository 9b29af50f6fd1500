-- Goals and shots by period, counted from shots on goal.
SELECT s.game_id, s.period,
       count(*) FILTER (s.is_goal AND s.team_abbr = g.home_abbr) AS home_goals, count(*) FILTER (s.is_goal AND s.team_abbr = g.away_abbr) AS away_goals,
       count(*) FILTER (s.team_abbr = g.home_abbr) AS home_shots, count(*) FILTER (s.team_abbr = g.away_abbr) AS away_shots
FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id) GROUP BY ALL
