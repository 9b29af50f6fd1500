-- Captured prices, one row a side. Where the same two teams are listed twice on a day, split squads, the
-- source gives both games the prices of one: those are left out. A total has a line only where it has a
-- price. Who made a closing total is not stated.
WITH spelt AS (
    SELECT
        o.* EXCLUDE (file, line),
        coalesce(h.abbr, hs.abbr) AS home_abbr,
        coalesce(a.abbr, s.abbr) AS away_abbr
    FROM nhl_odds_2025_26_games AS o
    LEFT JOIN nhl_clubs AS h ON h.name = o.home_name LEFT JOIN nhl_spellings AS hs ON hs.spelling = o.home_name
    LEFT JOIN nhl_clubs AS a ON a.name = o.away_name LEFT JOIN nhl_spellings AS s ON s.spelling = o.away_name
),

alone AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY league_date, least(home_abbr, away_abbr), greatest(home_abbr, away_abbr)) AS n
    FROM spelt WHERE home_abbr IS NOT NULL AND away_abbr IS NOT NULL
),

sides AS (
    SELECT
        *,
        'moneyline' AS market,
        'captured' AS moment,
        'home' AS side,
        CAST(NULL AS DOUBLE) AS line,
        home_ml_odds AS american,
        home_ml_book AS book
    FROM alone
    UNION ALL
    SELECT
        *,
        'moneyline',
        'captured',
        'away',
        NULL,
        away_ml_odds,
        away_ml_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'moneyline',
        'closing',
        'home',
        NULL,
        close_home_ml_odds,
        close_home_ml_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'moneyline',
        'closing',
        'away',
        NULL,
        close_away_ml_odds,
        close_away_ml_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'puck_line',
        'captured',
        'home',
        -1.5,
        home_pl_odds,
        home_pl_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'puck_line',
        'captured',
        'away',
        1.5,
        away_pl_odds,
        away_pl_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'total',
        'captured',
        'over',
        total,
        over_odds,
        over_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'total',
        'captured',
        'under',
        total,
        under_odds,
        under_book
    FROM alone
    UNION ALL
    SELECT
        *,
        'total',
        'closing',
        'over',
        close_total,
        close_over_odds,
        NULL
    FROM alone
    UNION ALL
    SELECT
        *,
        'total',
        'closing',
        'under',
        close_total,
        close_under_odds,
        NULL
    FROM alone
),

ids AS (
    SELECT
        league_date,
        home_abbr,
        away_abbr,
        min(game_id) AS game_id
    FROM nhl_games GROUP BY ALL HAVING count(*) = 1
),

games AS (
    SELECT
        'game' AS kind,
        league_date,
        home_abbr,
        away_abbr,
        starts_at,
        market,
        moment,
        side,
        line,
        american,
        book,
        CASE moment WHEN 'closing' THEN closed_at END AS seen_at,
        CAST(NULL AS VARCHAR) AS player_id,
        CAST(NULL AS VARCHAR) AS player_name,
        CAST(NULL AS VARCHAR) AS team_abbr
    FROM sides WHERE n = 1 AND american IS NOT NULL
),

props AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY league_date, player_name, market, total, book
            ORDER BY last_seen_at DESC NULLS LAST, file, line
        ) AS nth
    FROM nhl_odds_2025_26_props
),

players AS (
    SELECT
        league_date,
        CASE market WHEN 'sog' THEN 'shots' ELSE market END AS market,
        'over' AS side,
        total AS line,
        over_odds AS american,
        book,
        last_seen_at AS seen_at,
        CAST(player_id AS VARCHAR) AS player_id,
        player_name,
        team_abbr
    FROM props
    WHERE nth = 1 AND over_odds IS NOT NULL
    UNION ALL
    SELECT
        league_date,
        CASE market WHEN 'sog' THEN 'shots' ELSE market END,
        'under',
        total,
        under_odds,
        book,
        last_seen_at,
        CAST(player_id AS VARCHAR),
        player_name,
        team_abbr
    FROM props
    WHERE nth = 1 AND under_odds IS NOT NULL
),

all_prices AS (
    SELECT * FROM games
    UNION ALL BY NAME
    SELECT
        market AS kind,
        'captured' AS moment,
        *
    FROM players
)

SELECT
    concat_ws(
        '/', p.league_date, coalesce(p.away_abbr || '@' || p.home_abbr, p.player_name), p.market, p.moment,
        p.side, p.line, p.book
    ) AS price_id,
    p.kind,
    p.league_date,
    i.game_id,
    p.starts_at,
    p.home_abbr,
    p.away_abbr,
    p.player_id,
    p.player_name,
    p.team_abbr,
    p.market,
    p.moment,
    p.side,
    p.line,
    p.american,
    p.book,
    p.seen_at
FROM all_prices AS p LEFT JOIN ids AS i USING (league_date, home_abbr, away_abbr)
