-- Players of a team: those of the whole depth charts, with their places, and those who had a line in a game
-- of a season of the game centre, without. Two places of a player are two rows.
SELECT
    season,
    team_id,
    team_abbr,
    c.other_abbr,
    player_key,
    player_id,
    espn_id,
    player_name,
    position,
    position_name,
    unit,
    coalesce(slot, 0) AS slot,
    rank AS depth_rank,
    last_seen_on AS chart_on,
    CAST(NULL AS INTEGER) AS games,
    'depth_chart' AS known_by
FROM nfl_depth_charts JOIN nfl_clubs AS c USING (team_id) WHERE is_in_whole_chart
UNION ALL
SELECT
    b.season,
    b.team_id,
    max(b.team_abbr),
    max(c.other_abbr),
    b.player_id,
    b.player_id,
    max(p.espn_id),
    max(b.player_name),
    coalesce(max(b.position), 'unknown'),
    NULL,
    NULL,
    0,
    NULL,
    max(max(b.league_date)) OVER (PARTITION BY b.season),
    count(DISTINCT b.game_id),
    'box_score'
FROM nfl_box_players AS b JOIN nfl_clubs AS c USING (team_id) LEFT JOIN nfl_players AS p USING (player_id)
WHERE b.phase <> 'preseason' GROUP BY b.season, b.team_id, b.player_id
