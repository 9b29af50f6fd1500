-- All captured prices, one row for each market, event or player, bookmaker, line, side and time. Nothing is
-- averaged. A pitcher whom only a name tells has an id where the name is of one player. Of a scoreboard the
-- price of a bookmaker counts, which is of the favourite alone; a consensus is a mean, and no price.
WITH prices AS (
    SELECT
        market,
        league_date,
        CAST(NULL AS VARCHAR) AS event_id,
        game_id,
        player_id,
        player_name,
        team_abbr,
        opponent_abbr,
        book,
        line,
        side,
        american,
        CAST(NULL AS TIMESTAMP) AS seen_at,
        CAST(NULL AS DOUBLE) AS decimal
    FROM mlb_book_prices
    UNION ALL BY NAME
    SELECT
        p.market,
        p.league_date,
        p.event_id,
        n.player_id,
        p.player_name,
        p.book,
        p.point AS line,
        lower(p.side) AS side,
        p.american,
        p.seen_at
    FROM mlb_props_pitcher_prices AS p
    LEFT JOIN mlb_unique_names AS n ON n.folded = lower(strip_accents(replace(p.player_name, '.', '')))
    UNION ALL BY NAME
    SELECT
        'h2h' AS market,
        league_date,
        event_id,
        book,
        CASE WHEN side_name = home_name THEN 'home' WHEN side_name = away_name THEN 'away' END AS side,
        side_name AS team_name,
        home_name,
        away_name,
        CAST(round(decimal * 1000) AS BIGINT) / 1000.0 AS decimal,
        seen_at,
        CAST(round(CASE WHEN decimal >= 2 THEN 100 * (decimal - 1) ELSE -100 / (decimal - 1) END) AS INTEGER)
            AS american
    FROM mlb_odds_2023_prices
    UNION ALL BY NAME
    SELECT
        'h2h' AS market,
        p.league_date,
        p.game_ref AS event_id,
        p.game_ref AS game_id,
        p.provider_name AS book,
        CASE c.team_id WHEN g.home_id THEN 'home' WHEN g.away_id THEN 'away' END AS side,
        CASE c.team_id WHEN g.home_id THEN g.home_name ELSE g.away_name END AS team_name,
        g.home_name,
        g.away_name,
        TRY_CAST(regexp_extract(p.details, ' ([-+]?[0-9]+)$', 1) AS INTEGER) AS american
    FROM mlb_scoreboard_recorded_prices AS p JOIN mlb_games AS g ON g.game_id = p.game_ref
    JOIN mlb_clubs AS c ON c.espn_abbr = regexp_extract(p.details, '^([A-Z]+) [-+]?[0-9]{3,5}$', 1)
    WHERE p.provider_name LIKE '%Sportsbook%'
)

SELECT
    market,
    league_date,
    CAST(row_number() OVER (
        PARTITION BY market, league_date
        ORDER BY
            seen_at DESC NULLS LAST, player_name, event_id, book, line, side, american, game_id,
            decimal, player_id, team_abbr, opponent_abbr, team_name, home_name, away_name
    ) AS INTEGER) AS seq,
    CASE WHEN market = 'h2h' THEN 'winner' ELSE regexp_replace(market, '^(batter|pitcher)_', '') END AS stat,
    event_id,
    game_id,
    player_id,
    player_name,
    CASE WHEN starts_with(market, 'pitcher') THEN 'pitcher' WHEN player_name IS NOT NULL THEN 'batter' END AS role,
    team_abbr,
    opponent_abbr,
    team_name,
    home_name,
    away_name,
    book,
    line,
    side,
    american,
    decimal,
    seen_at
FROM prices WHERE side IS NOT NULL
