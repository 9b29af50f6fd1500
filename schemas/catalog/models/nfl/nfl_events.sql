-- Games with captured prices, and the markets of each.
SELECT
    g.game_id,
    g.market_id,
    g.feed_id,
    g.season,
    g.phase,
    g.phase_order,
    g.week,
    g.league_date,
    g.starts_at,
    g.home_id,
    g.home_abbr,
    g.home_name,
    g.away_id,
    g.away_abbr,
    g.away_name,
    p.markets,
    p.prices,
    p.first_seen_at,
    p.last_seen_at
FROM nfl_games AS g
JOIN (SELECT
    game_id,
    list(DISTINCT market ORDER BY market) AS markets,
    count(*) AS prices,
    min(seen_at) AS first_seen_at,
    max(seen_at) AS last_seen_at
FROM nfl_prices GROUP BY game_id) AS p USING (game_id)
