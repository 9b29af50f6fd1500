-- Teams of a competition and season, with their matches.
WITH sides AS (
    SELECT
        competition,
        season,
        home_slug AS team_slug,
        home_name AS team_name,
        home_score IS NOT NULL AS has_result
    FROM soccer_matches
    UNION ALL
    SELECT
        competition,
        season,
        away_slug,
        away_name,
        home_score IS NOT NULL
    FROM soccer_matches
)

SELECT
    s.competition,
    s.season,
    s.team_slug,
    s.team_name,
    CAST(count(*) AS INTEGER) AS matches,
    CAST(
        count(*)
        FILTER (WHERE s.has_result) AS INTEGER
    ) AS results
FROM sides AS s JOIN soccer_club_competitions AS c ON c.competition = s.competition
GROUP BY ALL
