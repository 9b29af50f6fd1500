-- Lines of players by game: of the longer source, else of the other. Who did not play has no counts. The longer source lists only
-- who played; less than half a minute is 0 there, or no time.
WITH told AS (
    SELECT 1 AS preference, game_id, player_id, player_name, team_abbr, is_starter, secs, points, field_goals_made, field_goals_attempted,
           three_pointers_made, three_pointers_attempted, free_throws_made, free_throws_attempted, offensive_rebounds, defensive_rebounds,
           rebounds, assists, turnovers, steals, blocks, fouls, plus_minus FROM wnba_line_capture_boxes
    UNION ALL BY NAME
    SELECT 2 AS preference, game_id, player_id, player_name, team_abbr, is_starter, secs, points, field_goals_made, field_goals_attempted,
           three_pointers_made, three_pointers_attempted, free_throws_made, free_throws_attempted, offensive_rebounds, defensive_rebounds,
           rebounds, assists, turnovers, steals, blocks, fouls, plus_minus FROM wnba_wehoop_boxes_boxes WHERE NOT coalesce(did_not_play, false)
), chosen AS (
    SELECT *, secs IS NOT NULL OR preference = 1 AS has_played FROM told QUALIFY row_number() OVER (PARTITION BY game_id, player_id ORDER BY preference) = 1
), teams AS (
    SELECT game_id, team_abbr, sum(secs) AS team_secs, sum(field_goals_attempted + .44 * free_throws_attempted + turnovers) AS team_used,
           sum(rebounds) AS team_rebounds
    FROM chosen WHERE has_played GROUP BY ALL
)
SELECT c.game_id, c.team_abbr, c.player_id, g.season, g.phase, g.league_date, c.player_name, c.is_starter,
       CASE WHEN c.team_abbr = g.home_abbr THEN g.away_abbr ELSE g.home_abbr END AS opponent_abbr, c.team_abbr = g.home_abbr AS is_home,
       CASE WHEN c.has_played THEN COLUMNS('^(secs|field_goals_.*|three_pointers_.*|free_throws_.*|offensive_rebounds|defensive_rebounds|rebounds|assists|steals|blocks|turnovers|fouls|points|plus_minus)$') END AS '\1',
       CASE WHEN c.has_played THEN CAST(c.points AS DOUBLE) / nullif(2 * (c.field_goals_attempted + .44 * c.free_throws_attempted), 0) END AS ts_pct,
       CASE WHEN c.has_played THEN (c.field_goals_attempted + .44 * c.free_throws_attempted + c.turnovers) * (t.team_secs / 5.0)
           / nullif(c.secs * t.team_used, 0) END AS usg_pct,
       c.has_played
FROM chosen AS c JOIN wnba_games AS g USING (game_id) LEFT JOIN teams AS t ON (t.game_id, t.team_abbr) = (c.game_id, c.team_abbr)
WHERE c.team_abbr IN (g.home_abbr, g.away_abbr)
