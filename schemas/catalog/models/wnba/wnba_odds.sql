-- Prices of game markets, each of one bookmaker. A list in which no book is named is not here.
WITH lines AS (
    SELECT
        game_id,
        book,
        captured_at,
        spread,
        total,
        home_american,
        away_american
    FROM wnba_line_capture_game_lines
),

told AS (
    SELECT
        game_id,
        CAST(NULL AS VARCHAR) AS event_id,
        captured_at AS seen_at,
        CAST(NULL AS TIMESTAMP) AS starts_at,
        CAST(NULL AS VARCHAR) AS matchup,
        'moneyline' AS market,
        'home' AS side,
        CAST(NULL AS DOUBLE) AS line,
        home_american AS american,
        book
    FROM lines
    WHERE home_american IS NOT NULL
    UNION ALL
    SELECT
        game_id,
        NULL,
        captured_at,
        NULL,
        NULL,
        'moneyline',
        'away',
        NULL,
        away_american,
        book
    FROM lines
    WHERE away_american IS NOT NULL
    UNION ALL
    SELECT
        game_id,
        NULL,
        captured_at,
        NULL,
        NULL,
        'spread',
        'home',
        spread,
        NULL,
        book
    FROM lines
    WHERE spread IS NOT NULL
    UNION ALL
    SELECT
        game_id,
        NULL,
        captured_at,
        NULL,
        NULL,
        'total',
        'over',
        total,
        NULL,
        book
    FROM lines
    WHERE total IS NOT NULL
    UNION ALL
    SELECT
        NULL,
        event_id,
        seen_at,
        starts_at,
        game,
        CASE market WHEN 'h2h' THEN 'moneyline' WHEN 'spreads' THEN 'spread' ELSE 'total' END,
        CASE
            WHEN upper(side) IN ('OVER', 'UNDER') THEN lower(side) WHEN ends_with(game, '@ ' || side) THEN 'home' WHEN
                starts_with(game, side)
                THEN 'away'
        END,
        price_line,
        american,
        book
    FROM wnba_wehoop_boxes_prices WHERE market IN ('h2h', 'spreads', 'totals')
),

placed AS (
    SELECT
        t.*,
        g.game_id AS found_id,
        g.league_date,
        h.abbr AS home_abbr,
        a.abbr AS away_abbr
    FROM told AS t
    LEFT JOIN wnba_clubs AS h ON h.city || ' ' || h.name = split_part(t.matchup, ' @ ', 2)
    LEFT JOIN wnba_clubs AS a ON a.city || ' ' || a.name = split_part(t.matchup, ' @ ', 1)
    LEFT JOIN wnba_games
        AS g ON g.game_id = t.game_id OR t.game_id IS NULL AND (g.home_abbr, g.away_abbr) = (h.abbr, a.abbr)
    AND g.league_date = CAST(t.starts_at - INTERVAL 8 HOUR AS DATE)
)

SELECT
    coalesce(p.league_date, CAST(p.starts_at - INTERVAL 8 HOUR AS DATE), CAST(p.seen_at AS DATE)) AS league_date,
    CAST(
        row_number()
            OVER (ORDER BY p.seen_at, coalesce(p.game_id, p.event_id), p.market, p.side, p.line, p.book, p.american)
        AS INTEGER
    ) AS price_id,
    coalesce(p.game_id, p.found_id) AS game_id,
    coalesce(g.home_abbr, p.home_abbr) AS home_abbr,
    coalesce(g.away_abbr, p.away_abbr) AS away_abbr,
    p.market,
    p.side,
    p.line,
    p.american,
    p.book,
    p.seen_at
FROM placed AS p LEFT JOIN wnba_games AS g ON g.game_id = coalesce(p.game_id, p.found_id)
