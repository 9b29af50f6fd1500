-- Teams of our list that any game names, and others once they played: a series to come may name none. Newest
-- names and divisions from our list.
WITH named AS (
    SELECT
        team_abbr,
        max(season) AS last_season
    FROM nhl_team_games WHERE phase <> 'all_star' GROUP BY team_abbr
    HAVING bool_or(result IS NOT NULL) OR team_abbr IN (SELECT abbr FROM nhl_clubs)
)

SELECT
    n.team_abbr,
    coalesce(r.name, c.name) AS name,
    c.conference,
    c.division,
    coalesce(m.arena, l.arena) AS arena
FROM named AS n LEFT JOIN nhl_clubs AS c ON c.abbr = n.team_abbr
LEFT JOIN nhl_renamed AS r ON r.abbr = n.team_abbr AND n.last_season >= r.from_season
LEFT JOIN nhl_shots_teams AS m ON m.team_abbr = n.team_abbr
LEFT JOIN nhl_shots_team_list AS l ON l.team_abbr = n.team_abbr
