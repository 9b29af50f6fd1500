-- Teams that any game names; names and divisions from our list.
WITH named AS (SELECT DISTINCT team_abbr FROM nhl_team_games)
SELECT n.team_abbr, c.name, c.conference, c.division, coalesce(m.arena, l.arena) AS arena
FROM named AS n LEFT JOIN nhl_clubs AS c ON c.abbr = n.team_abbr
LEFT JOIN nhl_shots_teams AS m ON m.team_abbr = n.team_abbr LEFT JOIN nhl_shots_team_list AS l ON l.team_abbr = n.team_abbr
