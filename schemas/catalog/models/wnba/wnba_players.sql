-- Players, each once, with the newest team.
SELECT
    player_id,
    arg_max(player_name, season) AS player_name,
    max(season) AS newest_season,
    arg_max(team_abbr, coalesce(last_seen_on, DATE '1900-01-01')) AS team_abbr,
    max(position) AS position
FROM wnba_rosters GROUP BY player_id
