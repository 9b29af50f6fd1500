-- Competitions of clubs: what /soccer/competitions/:slug knows.
SELECT
    competition,
    name,
    country,
    seasons,
    matches,
    results
FROM soccer_competitions_list WHERE NOT is_national
