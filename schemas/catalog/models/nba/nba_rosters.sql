-- Players of teams in a season, as listed. A rookie has no year of experience.
SELECT r.team_id, r.season, r.player_id, c.abbr AS team_abbr, r.player_name, r.number, r.position, r.height_in, r.weight_lb, r.born_on,
       CASE WHEN r.experience = 'R' THEN 0 ELSE TRY_CAST(r.experience AS INTEGER) END AS experience_years, r.school, r.acquired
FROM nba_season_2023_26_rosters AS r JOIN nba_clubs AS c USING (team_id)
