-- Weather of games by park and day, as each source states it. That of batters' prices takes one place for
-- each club, outdoors: what it says of a day on which the club played elsewhere is of no game, and its 0 of
-- wind in some parks is set, not measured.
WITH parks AS (
    SELECT
        season,
        home_id,
        venue
    FROM mlb_games WHERE venue IS NOT NULL GROUP BY season, home_id, venue
    QUALIFY row_number() OVER (PARTITION BY season, home_id ORDER BY count(*) DESC, venue) = 1
),

hosts AS (
    SELECT
        c.abbr AS park,
        g.league_date,
        min(g.venue) AS venue,
        bool_or(g.venue <> p.venue) AS is_elsewhere
    FROM mlb_games AS g JOIN mlb_clubs AS c ON c.team_id = g.home_id LEFT JOIN parks AS p USING (season, home_id)
    WHERE g.venue IS NOT NULL GROUP BY c.abbr, g.league_date HAVING min(g.venue) = max(g.venue)
),

days AS (
    -- The Athletics played in Oakland until 2024; the source takes Sacramento, where they play since.
    SELECT
        w.*,
        coalesce(h.is_elsewhere, false) OR (w.home_abbr = 'ATH' AND w.league_date < DATE '2025-01-01') AS is_elsewhere,
        h.venue
    FROM mlb_props_batter_weather AS w LEFT JOIN hosts AS h ON (h.park, h.league_date) = (w.home_abbr, w.league_date)
),

feeds AS (
    SELECT
        'statsapi-recorded' AS source,
        league_date,
        home_ref,
        venue,
        temperature_f,
        wind,
        weather,
        game_ref
    FROM mlb_statsapi_recorded_feed_games
    UNION ALL
    SELECT
        'statsapi-mock-2022',
        league_date,
        home_ref,
        venue,
        temperature_f,
        wind,
        weather,
        game_ref
    FROM mlb_statsapi_mock_2022_feed_games
),

told AS (
    SELECT
        'props-batter-2026' AS source,
        league_date,
        home_abbr AS park,
        venue,
        CASE WHEN NOT is_elsewhere THEN temp_f END AS temp_f,
        CASE WHEN NOT is_elsewhere AND is_dome = 0 THEN wind_mph END AS wind_mph,
        CAST(NULL AS VARCHAR) AS wind_direction,
        CAST(NULL AS VARCHAR) AS sky,
        CAST(NULL AS BOOLEAN) AS is_dome,
        CAST(NULL AS VARCHAR) AS game_id
    FROM days
    UNION ALL
    SELECT
        'retrosheet',
        r.league_date,
        c.abbr,
        p.venue,
        CAST(nullif(r.temperature_f, 0) AS DOUBLE),
        CASE WHEN r.wind_mph >= 0 THEN CAST(r.wind_mph AS DOUBLE) END,
        r.wind_direction,
        r.sky,
        r.sky = 'dome',
        r.game_ref
    FROM mlb_retrosheet_games AS r
    JOIN mlb_clubs AS c ON c.retro_code = r.home_code
    LEFT JOIN mlb_parks AS p USING (site)
    UNION ALL
    SELECT
        'statsapi-season-2025',
        g.league_date,
        c.abbr,
        g.venue,
        CAST(g.temperature_f AS DOUBLE),
        NULL,
        NULL,
        g.weather,
        g.weather IN ('Dome', 'Roof Closed'),
        g.game_id
    FROM mlb_source_games AS g JOIN mlb_clubs AS c ON c.team_id = g.home_id
    WHERE g.source = 'season_list' AND (g.temperature_f IS NOT NULL OR g.weather IS NOT NULL)
    UNION ALL
    SELECT
        f.source,
        f.league_date,
        c.abbr,
        f.venue,
        CAST(f.temperature_f AS DOUBLE),
        TRY_CAST(regexp_extract(f.wind, '^([0-9]+) mph', 1) AS DOUBLE),
        nullif(nullif(regexp_extract(f.wind, '^[0-9]+ mph, (.*)$', 1), ''), 'None'),
        f.weather,
        f.weather IN ('Dome', 'Roof Closed'),
        f.game_ref
    FROM feeds AS f
    JOIN mlb_clubs AS c ON c.team_id = f.home_ref
    WHERE f.temperature_f IS NOT NULL OR f.weather IS NOT NULL
)

SELECT
    source,
    league_date,
    CAST(year(league_date) AS VARCHAR) AS season,
    park,
    venue,
    temp_f,
    wind_mph,
    wind_direction,
    sky,
    is_dome,
    CAST(row_number() OVER (PARTITION BY source, park, league_date ORDER BY game_id) AS INTEGER) AS seq,
    game_id
FROM told
