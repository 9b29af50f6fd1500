-- Games as they stood at moments. The records are of the past. The feed opens a quote before some plays and
-- never closes it.
SELECT
    s.game_id,
    CAST(row_number() OVER (PARTITION BY s.game_id ORDER BY s.seen_at, s.file, s.line) AS INTEGER) AS seq,
    s.seen_at,
    s.period,
    s.clock_secs,
    s.home_abbr,
    s.home_score,
    s.home_fouls,
    s.home_turnovers,
    s.home_rebounds,
    s.away_abbr,
    s.away_score,
    s.away_fouls,
    s.away_turnovers,
    s.away_rebounds,
    ltrim(s.last_play, '"') AS last_play,
    false AS is_live
FROM wnba_line_capture_states AS s JOIN wnba_games AS g USING (game_id)
