-- How the line of a market of a game moved: of spreads the points given to the home team, of totals the
-- points, of money lines the price of the home team. First and last values of one list, and daily snapshots
-- of the other, are rows of their own.
WITH points AS (
    SELECT
        game_id,
        market_id,
        feed_id,
        market,
        CASE moment
            WHEN 'snapshot' THEN 'games-lines'
            ELSE 'market-open-close'
        END AS list,
        moment,
        seen_at,
        max(CASE
            WHEN market = 'moneyline' THEN CAST(coalesce(american, consensus) AS DOUBLE)
            ELSE line
        END) FILTER (side IN ('home', 'over'
        )) AS value,
        max(coalesce(american, consensus)) FILTER (side IN ('home', 'over')) AS first_price,
        max(coalesce(american, consensus)) FILTER (side IN ('away', 'under')) AS second_price,
        bool_or(consensus IS NOT NULL) AS is_consensus,
        max(source) AS source
    FROM nfl_prices WHERE moment IN ('open', 'last', 'snapshot') AND market IN ('spread', 'total', 'moneyline')
    GROUP BY game_id, market_id, feed_id, market, moment, seen_at
),

ordered AS (
    SELECT
        *,
        row_number() OVER w AS nth,
        lag(value) OVER w AS before
    FROM points WHERE value IS NOT NULL
    WINDOW w AS (
        PARTITION BY
            game_id, market, list ORDER BY
            CASE moment WHEN 'open' THEN 1 WHEN 'snapshot' THEN 2 ELSE 3 END,
            seen_at NULLS FIRST
    )
)

SELECT
    game_id,
    market_id,
    feed_id,
    market,
    list,
    arg_min(value, nth) AS first,
    arg_max(value, nth) AS last,
    min(value) AS least,
    max(value) AS greatest,
    count(*) FILTER (before IS NOT NULL AND before <> value) AS changes,
    count(*) AS points,
    min(seen_at) AS first_seen_at,
    max(seen_at) AS last_seen_at,
    bool_or(is_consensus) AS has_consensus,
    list({
        seen_at: strftime(seen_at, '%Y-%m-%dT%H:%M:%SZ'), moment: moment,
        line: CASE WHEN market = 'moneyline' THEN NULL ELSE value END, home_or_over: first_price,
        away_or_under: second_price, is_consensus: is_consensus, source: source
    } ORDER BY nth) AS series
FROM ordered GROUP BY game_id, market_id, feed_id, market, list
