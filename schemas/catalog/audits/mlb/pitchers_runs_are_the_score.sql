-- Runs that are charged to the pitchers of a game that was counted from plays add up to its score.
SELECT
    g.game_id,
    g.home_score,
    g.away_score,
    sum(p.runs) FILTER (NOT p.is_home) AS off_visitors,
    sum(p.runs) FILTER (p.is_home) AS off_home
FROM mlb_games AS g JOIN mlb_pitching_lines AS p USING (game_id)
WHERE p.is_walked AND g.home_score IS NOT NULL
GROUP BY g.game_id, g.home_score, g.away_score
HAVING sum(p.runs) FILTER (NOT p.is_home) <> g.home_score OR sum(p.runs) FILTER (p.is_home) <> g.away_score
