-- What each source holds, and when it was captured.
SELECT
    source,
    content,
    rows,
    first_captured_at,
    last_captured_at
FROM (
    SELECT
        'wnba-line-capture' AS source,
        'box scores' AS content,
        count(*) AS rows,
        min(captured_at) AS first_captured_at,
        max(captured_at) AS last_captured_at
    FROM wnba_line_capture_boxes
    UNION ALL
    SELECT
        'wnba-line-capture',
        'games',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_line_capture_games
    UNION ALL
    SELECT
        'wnba-line-capture',
        'injuries',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_line_capture_injuries
    UNION ALL
    SELECT
        'wnba-line-capture',
        'live states',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_line_capture_states
    UNION ALL
    SELECT
        'wnba-line-capture',
        'time-outs',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_line_capture_timeouts
    UNION ALL
    SELECT
        'wnba-games-quarters',
        'games',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_games_quarters_games
    UNION ALL
    SELECT
        'wnba-games-quarters',
        'quarters',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_games_quarters_quarters
    UNION ALL
    SELECT
        'wnba-schedule-2026',
        'schedule',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_schedule_2026_games
    UNION ALL
    SELECT
        'wnba-schedule-2026',
        'final standings',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_schedule_2026_standings
    UNION ALL
    SELECT
        'wnba-wehoop-boxes',
        'box scores',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_wehoop_boxes_boxes
    UNION ALL
    SELECT
        'wnba-wehoop-boxes',
        'quarters',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_wehoop_boxes_scores
    UNION ALL
    SELECT
        'wnba-wehoop-boxes',
        'prices',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_wehoop_boxes_prices
    UNION ALL
    SELECT
        'wnba-oddsapi-2026',
        'prices of players',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_oddsapi_2026_prices
    UNION ALL
    SELECT
        'wnba-recorded-small',
        'transactions',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_recorded_small_transactions
    UNION ALL
    SELECT
        'wnba-shots-2025-ny',
        'shots',
        count(*),
        min(captured_at),
        max(captured_at)
    FROM wnba_shots_2025_ny_shots
) WHERE rows > 0
