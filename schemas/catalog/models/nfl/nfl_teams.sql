-- Teams of a season with their colours and the stadium that they have now.
WITH seasons AS (
    SELECT
        season,
        home_id AS team_id
    FROM nfl_games
    UNION
    SELECT
        season,
        away_id
    FROM nfl_games
),

newest AS (
    SELECT max(season) AS season FROM seasons
)

SELECT
    s.season,
    s.team_id,
    n.abbr AS team_abbr,
    c.other_abbr,
    n.city,
    n.name,
    n.city || ' ' || n.name AS full_name,
    CASE WHEN s.season >= '2002' THEN c.conference END AS conference,
    CASE WHEN s.season >= '2002' THEN c.division END AS division,
    k.primary_colour,
    k.secondary_colour,
    CASE WHEN s.season = w.season THEN x.roof END AS stadium_roof,
    CASE WHEN s.season = w.season THEN x.surface END AS stadium_surface,
    CASE WHEN s.season = w.season THEN x.time_zone END AS stadium_time_zone,
    CASE WHEN s.season = w.season THEN x.lat END AS stadium_lat,
    CASE WHEN s.season = w.season THEN x.lon END AS stadium_lon
FROM seasons AS s JOIN nfl_clubs AS c USING (team_id)
JOIN nfl_club_names AS n
    ON
        n.team_id = s.team_id
        AND CAST(s.season AS INTEGER) BETWEEN CAST(n.first_season AS INTEGER) AND CAST(n.last_season AS INTEGER)
CROSS JOIN newest AS w
LEFT JOIN
    nfl_spellings AS sp
    ON sp.team_id = s.team_id AND sp.spelling IN (SELECT team_name FROM nfl_games_lines_colours)
LEFT JOIN nfl_games_lines_colours AS k ON k.team_name = sp.spelling
LEFT JOIN nfl_games_lines_stadiums AS x ON x.team_name = sp.spelling
