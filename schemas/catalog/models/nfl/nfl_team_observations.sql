-- What DNA of teams is made of: a row for each team and game of a regular season of which drives and the lines of
-- both teams are captured. Points are those that the team scored on its own drives; yards are those of the line.
WITH drives AS (
    SELECT
        game_id,
        team_abbr,
        count(*) AS drives,
        sum(points) AS points
    FROM nfl_drives GROUP BY game_id, team_abbr
),

lines AS (
    SELECT
        b.game_id,
        b.team_id,
        b.team_abbr,
        g.season,
        g.league_date,
        b.yards,
        d.drives,
        d.points
    FROM nfl_box_teams AS b
    JOIN nfl_games AS g USING (game_id)
    JOIN drives AS d ON (d.game_id, d.team_abbr) = (b.game_id, b.team_abbr)
    WHERE g.phase = 'regular' AND g.league_date IS NOT NULL
)

SELECT
    l.team_id,
    l.team_abbr,
    l.season,
    'league' AS pool,
    l.league_date,
    l.drives,
    l.points,
    l.yards,
    o.drives AS opponent_drives,
    o.points AS opponent_points,
    o.yards AS opponent_yards
FROM lines AS l JOIN lines AS o ON o.game_id = l.game_id AND o.team_id <> l.team_id
