-- Matches of national teams as they move their ratings. All of one day are rated from the ratings before it; a match
-- that is decided by penalties is drawn.
SELECT
    m.match_id AS contest,
    'nations' AS pool,
    m.match_date - DATE '1800-01-01' AS step,
    m.match_date AS played_on,
    m.season,
    m.home_slug AS first,
    m.away_slug AS second,
    m.home_name AS first_name,
    m.away_name AS second_name,
    CASE WHEN m.home_score > m.away_score THEN 1.0 WHEN m.home_score < m.away_score THEN 0.0 ELSE 0.5 END AS score,
    abs(m.home_score - m.away_score) AS margin,
    coalesce(m.is_neutral, false) AS is_neutral
FROM soccer_matches AS m JOIN soccer_competitions_list AS c USING (competition)
WHERE
    m.status = 'final' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
    AND c.is_national
