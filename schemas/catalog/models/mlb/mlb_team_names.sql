-- Names of clubs by season, of every source that states them, the best first.
SELECT team_ref AS team_id, season, name, abbr, venue, 1 AS preference FROM mlb_statsapi_recorded_teams
UNION ALL SELECT team_ref, season, name, abbr, venue, 2 FROM mlb_statsapi_recorded_team_pages
UNION ALL SELECT team_ref, season, team_name, NULL, NULL, 3 FROM mlb_statsapi_season_2025_teams
UNION ALL
SELECT c.team_id, CAST(t.year AS VARCHAR), t.city || ' ' || t.nickname, NULL, NULL, 4
FROM mlb_retrosheet_clubs AS t JOIN mlb_clubs AS c ON c.retro_code = t.club_code
