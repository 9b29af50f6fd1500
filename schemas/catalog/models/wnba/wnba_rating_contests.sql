-- Games as they move the ratings of teams: all of one day are rated from the ratings before it. All of 2020 were played
-- in one place, which was nobody's; of other seasons the first side counts as at home unless a source says more.
SELECT
    g.game_id AS contest,
    'league' AS pool,
    g.league_date - DATE '1900-01-01' AS step,
    g.league_date AS played_on,
    g.season,
    g.home_id AS first,
    g.away_id AS second,
    g.home_name AS first_name,
    g.away_name AS second_name,
    CASE WHEN g.home_score > g.away_score THEN 1.0 WHEN g.home_score < g.away_score THEN 0.0 ELSE 0.5 END AS score,
    abs(g.home_score - g.away_score) AS margin,
    g.season = '2020' OR coalesce(q.is_neutral, false) AS is_neutral
FROM wnba_games AS g LEFT JOIN wnba_games_quarters_games AS q USING (game_id)
WHERE
    g.status = 'final' AND g.phase IN ('regular', 'playoffs', 'cup_final')
    AND g.home_score IS NOT NULL AND g.away_score IS NOT NULL AND g.home_id IS NOT NULL AND g.away_id IS NOT NULL
