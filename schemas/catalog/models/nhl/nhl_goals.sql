-- Goals in order, with the score after each. Who scored stands in no source.
SELECT s.game_id, s.seq, s.period, s.team_abbr, s.shot_type, s.goalie_id, s.goalie_name,
       count(*) FILTER (s.team_abbr = g.home_abbr) OVER so_far AS home_score, count(*) FILTER (s.team_abbr = g.away_abbr) OVER so_far AS away_score
FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id) WHERE s.is_goal
WINDOW so_far AS (PARTITION BY s.game_id ORDER BY s.seq ROWS UNBOUNDED PRECEDING)
