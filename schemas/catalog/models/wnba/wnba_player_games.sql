-- Games of players, with halves where they were captured; lists of halves name players without ids.
SELECT
    b.player_id,
    b.game_id,
    b.season,
    b.phase,
    b.league_date,
    b.player_name,
    b.team_abbr,
    b.opponent_abbr,
    b.is_home,
    b.is_starter,
    b.secs,
    b.points,
    h.first_half_points,
    h.second_half_points,
    b.field_goals_made,
    b.field_goals_attempted,
    b.three_pointers_made,
    b.three_pointers_attempted,
    b.free_throws_made,
    b.free_throws_attempted,
    b.offensive_rebounds,
    b.defensive_rebounds,
    b.rebounds,
    b.assists,
    b.steals,
    b.blocks,
    b.turnovers,
    b.fouls,
    b.plus_minus,
    b.ts_pct,
    b.usg_pct
FROM wnba_box_players AS b
LEFT JOIN
    wnba_line_capture_halves AS h
    ON h.game_id = b.game_id AND lower(strip_accents(h.player_name)) = lower(strip_accents(b.player_name))
WHERE b.has_played
QUALIFY row_number() OVER (PARTITION BY b.player_id, b.game_id ORDER BY h.line) = 1
