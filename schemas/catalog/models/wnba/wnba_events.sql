-- Known events of games: time-outs, and the last plays that captured states name. A play that several states
-- name is one.
WITH told AS (
    SELECT
        game_id,
        period,
        clock_secs,
        CASE WHEN text ILIKE 'official%' THEN 'official_timeout' ELSE 'timeout' END AS kind,
        text,
        CAST(NULL AS TIMESTAMP) AS seen_at,
        1 AS preference
    FROM wnba_line_capture_timeouts
    UNION ALL
    SELECT
        game_id,
        period,
        clock_secs,
        CASE WHEN last_play ILIKE '%timeout%' THEN 'timeout' ELSE 'play' END,
        ltrim(last_play, '"'),
        min(seen_at),
        2
    FROM wnba_line_capture_states
    WHERE last_play IS NOT NULL AND period IS NOT NULL
    GROUP BY
        game_id,
        period,
        clock_secs,
        CASE WHEN last_play ILIKE '%timeout%' THEN 'timeout' ELSE 'play' END,
        ltrim(last_play, '"')
)

SELECT
    t.game_id,
    CAST(
        row_number()
            OVER (PARTITION BY t.game_id ORDER BY t.period, t.clock_secs DESC NULLS LAST, t.preference, t.text)
        AS INTEGER
    ) AS seq,
    t.period,
    t.clock_secs,
    t.kind,
    c.abbr AS team_abbr,
    t.text,
    t.seen_at,
    false AS is_complete
FROM told AS t JOIN wnba_games AS g USING (game_id)
LEFT JOIN wnba_clubs AS c ON starts_with(t.text, c.name || ' ')
