-- Markets with captured prices. Lines of the first years have no price and no time; days are those of games
-- where no time is told.
SELECT
    p.market,
    CASE
        WHEN p.market IN ('spread', 'total') THEN 'points' WHEN p.market = 'moneyline' THEN 'american_price'
        WHEN p.market LIKE '%yards' THEN 'yards' WHEN p.market LIKE '%receptions' THEN 'receptions'
        WHEN p.market = 'first_touchdown' THEN 'yes_or_no' ELSE 'touchdowns'
    END AS unit,
    bool_or(p.player_key IS NOT NULL) AS is_of_players,
    count(DISTINCT p.game_id) AS events,
    count(*) AS prices,
    count(p.american) AS prices_with_odds,
    coalesce(list(DISTINCT p.book ORDER BY p.book) FILTER (p.book IS NOT NULL), []) AS books,
    min(g.season) AS first_season,
    max(g.season) AS last_season,
    min(coalesce(CAST(p.seen_at AS DATE), g.league_date)) AS first_on,
    max(coalesce(CAST(p.seen_at AS DATE), g.league_date)) AS last_on
FROM nfl_prices AS p JOIN nfl_games AS g USING (game_id) GROUP BY p.market
