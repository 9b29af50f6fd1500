-- Minor-league clubs by season: those that the league lists, and those that a schedule names, with what the
-- newest list before or in that season says of them. A complex league follows from the name.
WITH named AS (
    SELECT
        season,
        home_id AS team_id,
        home_name AS name,
        file_level
    FROM mlb_minor_starts WHERE home_id IS NOT NULL
    UNION
    SELECT
        season,
        away_id,
        away_name,
        file_level
    FROM mlb_minor_starts WHERE away_id IS NOT NULL
),

listed AS (
    SELECT
        season,
        team_id,
        min(name) AS name,
        min(file_level) AS file_level
    FROM named GROUP BY season, team_id
    UNION ALL BY NAME
    SELECT
        season,
        team_id,
        name,
        level AS file_level
    FROM mlb_minor_club_facts AS f
    WHERE NOT EXISTS (SELECT 1 FROM named AS n WHERE n.season = f.season AND n.team_id = f.team_id)
),

told AS (
    SELECT
        l.season,
        l.team_id,
        l.name,
        l.file_level,
        f.season AS stated_in,
        f.abbr,
        f.city,
        f.venue,
        f.league_id,
        f.league_name,
        f.division_name,
        f.level,
        f.org_id,
        f.org_name,
        f.org_abbr
    FROM listed AS l LEFT JOIN mlb_minor_club_facts AS f ON f.team_id = l.team_id AND f.season <= l.season
    QUALIFY row_number() OVER (PARTITION BY l.season, l.team_id ORDER BY f.season DESC) = 1
)

SELECT
    t.season,
    t.team_id,
    t.name,
    t.abbr,
    t.city,
    coalesce(t.level, CASE WHEN t.file_level <> 'a' THEN t.file_level END) AS level,
    t.league_id,
    coalesce(t.league_name, c.league_name) AS league_name,
    t.division_name,
    t.venue,
    t.org_id,
    t.org_abbr,
    t.org_name,
    t.stated_in
FROM told AS t LEFT JOIN mlb_minor_complex_leagues AS c ON starts_with(t.name, c.prefix || ' ')
