-- Matches of a table are its results, points are three a win and one a draw.
SELECT
    competition,
    season,
    team_slug,
    valid_from
FROM soccer_table
WHERE
    played <> won + drawn + lost
    OR points <> 3 * won + drawn - coalesce(deductions, 0)
    OR goal_difference <> goals_for - goals_against
