-- Prices of player markets, each of one bookmaker.
WITH told AS (
    SELECT
        seen_at,
        starts_at,
        event_id,
        replace(market, 'player_', '') AS market,
        lower(side) AS side,
        player_name,
        price_line,
        american,
        CAST(NULL AS DOUBLE) AS decimal_odds,
        book
    FROM wnba_oddsapi_2026_prices
    UNION ALL
    SELECT
        seen_at,
        starts_at,
        event_id,
        replace(market, 'player_', ''),
        lower(side),
        player_name,
        price_line,
        american,
        NULL,
        book
    FROM wnba_wehoop_boxes_prices WHERE starts_with(market, 'player_') AND player_name IS NOT NULL
    UNION ALL
    SELECT
        seen_at,
        starts_at,
        event_id,
        replace(market, 'player_', ''),
        lower(side),
        player_name,
        price_line,
        NULL,
        price,
        lower(book)
    FROM wnba_line_capture_player_prices
)

SELECT
    coalesce(CAST(t.starts_at - INTERVAL 8 HOUR AS DATE), CAST(t.seen_at AS DATE)) AS league_date,
    CAST(
        row_number()
            OVER (
                ORDER BY
                    t.seen_at,
                    t.event_id,
                    t.player_name,
                    t.market,
                    t.price_line,
                    t.side,
                    t.book,
                    t.american,
                    t.decimal_odds
            )
        AS INTEGER
    ) AS price_id,
    n.player_id,
    t.player_name,
    t.market,
    t.side,
    t.price_line AS line,
    t.american,
    t.decimal_odds,
    t.book,
    t.seen_at
FROM told AS t
LEFT JOIN
    wnba_player_names AS n
    ON n.spelling = lower(strip_accents(replace(replace(t.player_name, '.', ''), '''', '')))
