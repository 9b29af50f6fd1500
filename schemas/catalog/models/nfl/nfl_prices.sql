-- Every captured price of a game: first and last ones, daily snapshots that name no bookmaker, and those of
-- one game with its players. A consensus of bookmakers stands in a column of its own.
WITH opened AS (
    SELECT
        game_id,
        market,
        moment,
        side,
        CASE WHEN side = 'away' THEN -line WHEN market = 'moneyline' THEN NULL ELSE line END AS line,
        price AS american,
        consensus,
        source,
        told_at AS seen_at
    FROM (
        SELECT
            o.game_id,
            o.market,
            m.moment,
            s.side,
            m.line,
            s.price,
            s.consensus,
            m.source,
            m.told_at
        FROM nfl_odds AS o,
            LATERAL (
                VALUES ('open', o.open_line, o.open_source, o.open_at), ('last', o.last_line, o.last_source, o.last_at)
            )
                AS m (moment, line, source, told_at),
            LATERAL (VALUES (
                'home', CASE m.moment WHEN 'open' THEN o.open_home_price ELSE o.last_home_price END,
                CASE m.moment WHEN 'open' THEN o.open_home_consensus ELSE o.last_home_consensus END
            ),
            (
                'away', CASE m.moment WHEN 'open' THEN o.open_away_price ELSE o.last_away_price END,
                CASE m.moment WHEN 'open' THEN o.open_away_consensus ELSE o.last_away_consensus END
            ),
            (
                'over', CASE m.moment WHEN 'open' THEN o.open_over_price ELSE o.last_over_price END,
                CASE m.moment WHEN 'open' THEN o.open_over_consensus ELSE o.last_over_consensus END
            ),
            (
                'under', CASE m.moment WHEN 'open' THEN o.open_under_price ELSE o.last_under_price END,
                CASE m.moment WHEN 'open' THEN o.open_under_consensus ELSE o.last_under_consensus END
            ))
                AS s (side, price, consensus)
        WHERE (o.market = 'total') = (s.side IN ('over', 'under'))
    )
    WHERE coalesce(line, price, consensus) IS NOT NULL
),

pairs AS (
    SELECT
        s.*,
        string_split(s.event_name, ' @ ') AS names
    FROM nfl_games_lines_snapshots AS s
),

snapped AS (
    SELECT
        g.game_id,
        CASE p.market WHEN 'h2h' THEN 'moneyline' WHEN 'spreads' THEN 'spread' ELSE 'total' END AS market,
        'snapshot' AS moment,
        CASE
            WHEN p.market = 'totals' THEN lower(p.side) WHEN p.side = p.names[2] THEN 'home'
            WHEN p.side = p.names[1] THEN 'away'
        END AS side,
        p.price_line AS line,
        p.american,
        CAST(NULL AS INTEGER) AS consensus,
        CAST(NULL AS VARCHAR) AS source,
        CAST(p.seen_at AS TIMESTAMP) AS seen_at
    FROM pairs AS p
    JOIN nfl_spellings AS a ON a.spelling = p.names[1]
    JOIN nfl_spellings AS h ON h.spelling = p.names[2]
    JOIN nfl_games
        AS g ON (g.home_id, g.away_id) = (h.team_id, a.team_id) AND g.phase = 'regular'
    AND g.season = CAST(year(p.seen_at) - CAST(month(p.seen_at) <= 3 AS INTEGER) AS VARCHAR)
),

events AS (
    SELECT
        l.*,
        g.game_id
    FROM nfl_props_one_game_lines AS l JOIN nfl_games AS g ON g.feed_id = l.event_id
),

one AS (
    SELECT
        e.game_id,
        v.market,
        'captured' AS moment,
        v.side,
        v.line,
        v.american,
        CAST(NULL AS INTEGER) AS consensus,
        CAST(NULL AS VARCHAR) AS source,
        CAST(NULL AS TIMESTAMP) AS seen_at
    FROM events AS e,
        LATERAL (
            VALUES ('moneyline', 'home', CAST(NULL AS DOUBLE), e.home_moneyline),
            ('moneyline', 'away', NULL, e.away_moneyline),
            ('spread', 'home', e.home_spread, e.home_spread_price),
            ('spread', 'away', -e.home_spread, e.away_spread_price),
            ('total', 'over', e.total, e.over_price), ('total', 'under', e.total, e.under_price))
            AS v (market, side, line, american)
    WHERE coalesce(v.line, v.american) IS NOT NULL
),

players AS (
    SELECT
        g.game_id,
        CASE p.stat WHEN 'firstTouchdown' THEN 'first_touchdown' ELSE p.stat END AS market,
        'captured' AS moment,
        v.side,
        p.price_line AS line,
        v.american,
        CAST(NULL AS INTEGER) AS consensus,
        CAST(NULL AS VARCHAR) AS source,
        CAST(NULL AS TIMESTAMP) AS seen_at,
        p.player_key,
        p.player_name
    FROM nfl_props_one_game_props AS p JOIN nfl_games AS g ON g.feed_id = p.event_id,
        LATERAL (VALUES ('over', p.over), ('under', p.under), ('yes', p.yes), ('no', p.no)) AS v (side, american)
    WHERE v.american IS NOT NULL
),

whole AS (
    SELECT * FROM opened
    UNION ALL BY NAME
    SELECT DISTINCT * FROM snapped WHERE side IS NOT NULL
    UNION ALL BY NAME
    SELECT * FROM one
    UNION ALL BY NAME
    SELECT * FROM players
)

SELECT
    w.game_id,
    g.market_id,
    g.feed_id,
    CAST(row_number()
        OVER (
            PARTITION BY w.game_id
            ORDER BY
                w.seen_at NULLS FIRST, w.market, w.moment DESC, w.player_key NULLS FIRST, w.side, w.line, w.american
        )
    AS INTEGER) AS seq,
    w.market,
    w.player_key,
    w.player_name,
    w.side,
    w.moment,
    w.line,
    w.american,
    w.consensus,
    CASE WHEN w.source IN ('draftkings', 'fanduel') THEN w.source END AS book,
    w.source,
    w.seen_at
FROM whole AS w JOIN nfl_games AS g USING (game_id)
