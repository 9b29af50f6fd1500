-- Matches of leagues, and their play-offs, as they move the ratings of their clubs: a pool for each league, since clubs
-- of two leagues meet too seldom to be compared. In one pool for a country, clubs that came up to the Premier League
-- won .30 where .42 was expected of them. All of one day are rated from the ratings before it. A match that is
-- called the final of play-offs is on neutral ground. Cups of a country have no code.
SELECT
    m.match_id AS contest,
    m.competition AS pool,
    m.match_date - DATE '1800-01-01' AS step,
    m.match_date AS played_on,
    m.season,
    m.home_slug AS first,
    m.away_slug AS second,
    m.home_name AS first_name,
    m.away_name AS second_name,
    CASE WHEN m.home_score > m.away_score THEN 1.0 WHEN m.home_score < m.away_score THEN 0.0 ELSE 0.5 END AS score,
    abs(m.home_score - m.away_score) AS margin,
    coalesce(m.phase = 'knockout' AND m.round LIKE '%Final', false) AS is_neutral
FROM soccer_matches AS m JOIN soccer_competitions_list AS c USING (competition)
WHERE
    m.status = 'final' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL AND NOT c.is_national
    AND c.country IS NOT NULL
    AND m.competition NOT IN (SELECT slug FROM soccer_competitions WHERE code IS NULL)
