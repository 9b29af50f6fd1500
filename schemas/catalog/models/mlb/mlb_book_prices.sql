-- Prices of batters' markets from the texts that hold them by bookmaker, line and side; for a game a
-- bookmaker has one price of each.
WITH told AS (
    SELECT
        'hits' AS market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        book_markets
    FROM mlb_props_batter_hits
    UNION ALL BY NAME
    SELECT
        'total_bases' AS market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        book_markets
    FROM mlb_props_batter_total_bases
    UNION ALL BY NAME
    SELECT
        'batter_strikeouts' AS market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        book_markets
    FROM mlb_props_batter_strikeouts
),

books AS (
    SELECT
        *,
        unnest(regexp_extract_all(book_markets, '"[A-Za-z0-9_]+": \{("[0-9.]+": \{[^{}]*\}(, )?)+\}')) AS of_book
    FROM told
),

lines AS (
    SELECT
        *,
        regexp_extract(of_book, '^"([A-Za-z0-9_]+)"', 1) AS book,
        unnest(regexp_extract_all(of_book, '"[0-9.]+": \{[^{}]*\}')) AS of_line
    FROM books
),

sides AS (
    SELECT
        *,
        TRY_CAST(regexp_extract(of_line, '^"([0-9.]+)"', 1) AS DOUBLE) AS line,
        unnest(regexp_extract_all(of_line, '"(over|under)": -?[0-9]+')) AS of_side
    FROM lines
),

home_runs AS (
    SELECT
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        unnest(regexp_extract_all(book_markets, '"[A-Za-z0-9_]+": \{"odds": -?[0-9]+\}')) AS of_book
    FROM mlb_props_batter_home_runs
),

visitors AS (
    -- Of a game the file names the home club and those of its batters: the visitors are the one that is not
    -- at home.
    SELECT
        game_id,
        min(team_abbr) AS away_abbr
    FROM mlb_props_batter_best_home_runs
    WHERE team_abbr <> home_abbr GROUP BY game_id HAVING count(DISTINCT team_abbr) = 1
),

prices AS (
    SELECT
        market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        book,
        line,
        regexp_extract(of_side, '"(over|under)"', 1) AS side,
        TRY_CAST(regexp_extract(of_side, '(-?[0-9]+)$', 1) AS INTEGER) AS american
    FROM sides
    UNION ALL BY NAME
    SELECT
        'home_runs' AS market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        regexp_extract(of_book, '^"([A-Za-z0-9_]+)"', 1) AS book,
        .5 AS line,
        'over' AS side,
        TRY_CAST(regexp_extract(of_book, '(-?[0-9]+)\}$', 1) AS INTEGER) AS american
    FROM home_runs
    UNION ALL BY NAME
    SELECT
        'home_runs' AS market,
        league_date,
        game_id,
        player_id,
        player_name,
        team_abbr,
        CASE WHEN team_abbr <> home_abbr THEN home_abbr ELSE v.away_abbr END AS opponent_abbr,
        book,
        .5 AS line,
        'over' AS side,
        american
    FROM mlb_props_batter_best_home_runs
    LEFT JOIN visitors AS v USING (game_id)
    WHERE book IS NOT NULL AND american IS NOT NULL
)

-- What no price can be is none.
SELECT * FROM prices WHERE abs(american) >= 100
QUALIFY
    row_number()
        OVER (
            PARTITION BY market, league_date, game_id, player_id, book, line, side
            ORDER BY american, opponent_abbr, team_abbr, player_name, league_date
        )
    = 1
