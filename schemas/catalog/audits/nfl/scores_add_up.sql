-- Scores of the summary add up to the final of the game.
SELECT g.game_id
FROM nfl_games AS g
JOIN nfl_scoring AS s USING (game_id)
GROUP BY g.game_id, g.home_score, g.away_score
HAVING max(s.home_score) <> g.home_score OR max(s.away_score) <> g.away_score
