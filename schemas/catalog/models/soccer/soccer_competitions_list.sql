-- Competitions with their captured seasons. A name is that of the newest season, since names of the files
-- change. National teams' tournaments have no country.
WITH countries AS (
    SELECT
        competition,
        max(country) AS country
    FROM soccer_listed_matches GROUP BY competition
    UNION
    SELECT
        slug,
        country
    FROM soccer_competitions WHERE slug NOT IN (SELECT competition FROM soccer_listed_matches)
)

SELECT
    s.competition,
    max_by(s.competition_name, s.season || s.competition_name) AS name,
    n.name AS country,
    bool_or(coalesce(s.is_national, false)) AS is_national,
    list(s.season ORDER BY s.season DESC) AS seasons,
    max(s.season) AS newest_season,
    CAST(sum(s.matches) AS INTEGER) AS matches,
    CAST(sum(s.results) AS INTEGER) AS results
FROM soccer_competition_seasons AS s
LEFT JOIN countries AS c ON c.competition = s.competition
LEFT JOIN soccer_countries AS n ON n.code = c.country
GROUP BY s.competition, n.name
