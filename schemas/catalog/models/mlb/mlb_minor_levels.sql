-- Levels of the minor leagues by season, from the highest down, with the clubs of each; of captured plate
-- appearances those that played in them.
WITH clubs AS (
    SELECT
        season,
        level,
        team_id
    FROM mlb_minor_teams WHERE level IS NOT NULL
    UNION
    SELECT
        CAST(year(a.league_date) AS VARCHAR),
        l.level,
        t.team_id
    FROM mlb_milb_pbp_appearances AS a JOIN mlb_minor_levels_by_id AS l ON l.feed_level = a.level,
        LATERAL (VALUES (a.home_id), (a.away_id)) AS t (team_id)
)

SELECT
    c.season,
    l.level,
    CAST(l.place AS INTEGER) AS place,
    l.sport_id,
    l.level_name AS name,
    count(*) AS teams
FROM clubs AS c JOIN mlb_minor_levels_by_id AS l USING (level) GROUP BY ALL
