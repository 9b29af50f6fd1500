-- Teams by season, each with its arena: of recorded details, else that of most of its games at home. Who
-- played neither for nor against a club of the league is none of its teams.
WITH seasons AS (
    SELECT DISTINCT
        season,
        team_id
    FROM nba_team_games WHERE phase = 'regular'
),

arenas AS (
    SELECT
        season,
        home_id AS team_id,
        arena,
        count(*) AS n
    FROM nba_games
    WHERE phase = 'regular' AND arena IS NOT NULL
    GROUP BY ALL
),

usual AS (
    SELECT
        season,
        team_id,
        arena
    FROM arenas
    QUALIFY row_number() OVER (PARTITION BY season, team_id ORDER BY n DESC, arena) = 1
)

SELECT
    s.season,
    c.team_id,
    c.abbr AS team_abbr,
    c.city,
    c.name,
    c.city || ' ' || c.name AS full_name,
    u.arena,
    c.conference,
    c.division
FROM seasons AS s JOIN nba_clubs AS c USING (team_id) LEFT JOIN usual AS u USING (season, team_id)
