-- A team in a season, with its years in the league and its record where there is a table.
SELECT
    t.team_id,
    t.season,
    t.team_abbr,
    t.full_name AS team_name,
    t.city,
    t.name,
    t.arena,
    t.conference,
    t.division,
    y.first_year,
    y.last_year,
    d.founded,
    s.gp,
    s.w,
    s.l,
    s.pct,
    s.rank AS conference_rank,
    s.games_behind,
    s.as_of
FROM nba_teams AS t
LEFT JOIN nba_stats_recorded_team_years AS y USING (team_id)
LEFT JOIN nba_stats_recorded_team_details AS d USING (team_id)
LEFT JOIN nba_standings AS s ON (s.team_id, s.season) = (t.team_id, t.season)
