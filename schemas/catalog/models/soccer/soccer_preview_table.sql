-- Rows of both teams in the table of the league before the day of a match.
SELECT
    s.match_id,
    s.source_match_id,
    s.side,
    s.team_slug,
    t.valid_from,
    t.rank,
    t.played,
    t.won,
    t.drawn,
    t.lost,
    t.goals_for,
    t.goals_against,
    t.goal_difference,
    t.points,
    t.form
FROM soccer_preview_sides AS s
JOIN soccer_table AS t
    ON
        t.competition = s.competition AND t.season = s.season AND t.team_slug = s.team_slug
        AND t.valid_from <= s.match_date
QUALIFY row_number() OVER (PARTITION BY s.match_id, s.side ORDER BY t.valid_from DESC) = 1
