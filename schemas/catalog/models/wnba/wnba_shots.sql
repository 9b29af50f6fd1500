-- Shots of players with a chart. The chart's ids are the league's own, so that games are found by day and
-- teams, and players by name.
SELECT
    g.game_id,
    CAST(
        row_number()
            OVER (
                PARTITION BY g.game_id ORDER BY s.period, s.minutes_left DESC, s.seconds_left DESC, s.seq, s.player_name
            )
        AS INTEGER
    ) AS seq,
    n.player_id,
    s.player_name,
    s.period,
    s.minutes_left * 60 + s.seconds_left AS clock_secs,
    s.x,
    s.y,
    s.distance_ft,
    s.zone,
    lower(s.shot_type) AS shot_type,
    s.is_made,
    CASE left(s.value_text, 1) WHEN '3' THEN 3 WHEN '2' THEN 2 END AS shot_value,
    false AS has_all_shots
FROM wnba_shots_2025_ny_shots AS s
JOIN wnba_clubs AS h ON h.code = s.home_code JOIN wnba_clubs AS a ON a.code = s.away_code
JOIN wnba_games AS g ON (g.league_date, g.home_abbr, g.away_abbr) = (s.league_date, h.abbr, a.abbr)
LEFT JOIN
    wnba_player_names AS n
    ON n.spelling = lower(strip_accents(replace(replace(s.player_name, '.', ''), '''', '')))
