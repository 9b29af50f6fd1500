-- Observations of players with a known position that has a pool; of quarterbacks games in which they passed,
-- were sacked or ran.
SELECT
    position AS pool,
    * EXCLUDE (position)
FROM nfl_observations
WHERE position IN ('WR', 'RB', 'TE') OR (position = 'QB' AND dropbacks + carries > 0)
