-- First and last captured spread, total and money line of a game. Lines of spreads are points given to the
-- home team. A consensus of bookmakers is no price that anybody offered: it stands in columns of its own.
WITH long AS (
    SELECT
        market_id,
        'spread' AS market,
        open_line,
        open_home,
        open_away,
        open_source,
        open_at,
        last_line,
        last_home,
        last_away,
        last_source,
        last_at
    FROM nfl_market_open_close_spreads
    UNION ALL BY NAME
    SELECT
        market_id,
        'moneyline' AS market,
        open_home,
        open_away,
        open_source,
        open_at,
        last_home,
        last_away,
        last_source,
        last_at
    FROM nfl_market_open_close_moneylines
    UNION ALL BY NAME
    SELECT
        market_id,
        'total' AS market,
        open_line,
        open_over,
        open_under,
        open_source,
        open_at,
        last_line,
        last_over,
        last_under,
        last_source,
        last_at
    FROM nfl_market_open_close_totals
),

told AS (
    SELECT
        *,
        coalesce(open_source LIKE '%consensus%', false) AS open_is_consensus,
        coalesce(last_source LIKE '%consensus%', false) AS last_is_consensus
    FROM long
    WHERE
        coalesce(open_line, open_home, open_away, open_over, open_under) IS NOT NULL
        OR coalesce(last_line, last_home, last_away, last_over, last_under) IS NOT NULL
)

SELECT
    g.game_id,
    g.market_id,
    g.feed_id,
    g.season,
    g.phase,
    g.phase_order,
    g.week,
    g.league_date,
    g.home_abbr,
    g.away_abbr,
    t.market,
    t.open_line,
    CASE WHEN NOT t.open_is_consensus THEN t.open_home END AS open_home_price,
    CASE WHEN NOT t.open_is_consensus THEN t.open_away END AS open_away_price,
    CASE WHEN NOT t.open_is_consensus THEN t.open_over END AS open_over_price,
    CASE WHEN NOT t.open_is_consensus THEN t.open_under END AS open_under_price,
    CASE WHEN t.open_is_consensus THEN t.open_home END AS open_home_consensus,
    CASE WHEN t.open_is_consensus THEN t.open_away END AS open_away_consensus,
    CASE WHEN t.open_is_consensus THEN t.open_over END AS open_over_consensus,
    CASE WHEN t.open_is_consensus THEN t.open_under END AS open_under_consensus,
    t.open_source,
    CAST(t.open_at AS TIMESTAMP) AS open_at,
    t.last_line,
    CASE WHEN NOT t.last_is_consensus THEN t.last_home END AS last_home_price,
    CASE WHEN NOT t.last_is_consensus THEN t.last_away END AS last_away_price,
    CASE WHEN NOT t.last_is_consensus THEN t.last_over END AS last_over_price,
    CASE WHEN NOT t.last_is_consensus THEN t.last_under END AS last_under_price,
    CASE WHEN t.last_is_consensus THEN t.last_home END AS last_home_consensus,
    CASE WHEN t.last_is_consensus THEN t.last_away END AS last_away_consensus,
    CASE WHEN t.last_is_consensus THEN t.last_over END AS last_over_consensus,
    CASE WHEN t.last_is_consensus THEN t.last_under END AS last_under_consensus,
    t.last_source,
    CAST(t.last_at AS TIMESTAMP) AS last_at
FROM told AS t JOIN nfl_games AS g USING (market_id)
