-- Clubs of `league-player-matches` by code and season. Its lists have short names alone (`Spurs`); the ids of
-- its matches have whole ones beside the code, so that a code is the club that stands with it most often.
WITH seen AS (
    SELECT
        f.season,
        f.home_team_code AS team_code,
        b.home_slug AS team
    FROM soccer_feed_matches AS f JOIN soccer_match_base AS b ON b.feed_id = f.source_match_id
    UNION ALL
    SELECT
        f.season,
        f.away_team_code,
        b.away_slug
    FROM soccer_feed_matches AS f JOIN soccer_match_base AS b ON b.feed_id = f.source_match_id
)

SELECT
    season,
    team_code,
    team
FROM seen WHERE team_code IS NOT NULL
GROUP BY season, team_code, team
QUALIFY row_number() OVER (PARTITION BY season, team_code ORDER BY count(*) DESC, team) = 1
