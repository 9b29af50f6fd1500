-- Tables of leagues for every day from which they hold.
SELECT
    t.competition,
    t.competition_name,
    t.season,
    t.team AS team_slug,
    t.valid_from,
    t.rank,
    n.name AS team_name,
    t.played,
    t.won,
    t.drawn,
    t.lost,
    t.goals_for,
    t.goals_against,
    t.difference AS goal_difference,
    t.points,
    t.form,
    t.tie_break,
    t.deductions
FROM soccer_league_tables AS t
JOIN soccer_team_names AS n ON n.team = t.team
