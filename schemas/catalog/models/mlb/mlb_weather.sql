-- Weather of games by park and day, as each source states it. A park is named by its home club, and by its name where that is known.
WITH told AS (
    SELECT 'props-batter-2026' AS source, league_date, home_abbr AS park, CAST(NULL AS VARCHAR) AS venue, temp_f, wind_mph,
           CAST(NULL AS VARCHAR) AS wind_direction, CAST(NULL AS VARCHAR) AS sky, is_dome = 1 AS is_dome, CAST(NULL AS VARCHAR) AS game_id
    FROM mlb_props_batter_weather
    UNION ALL
    -- A temperature of 0 and a wind of -1 stand for one that is not known.
    SELECT 'retrosheet', g.league_date, c.abbr, p.venue, nullif(g.temperature_f, 0), CASE WHEN g.wind_mph >= 0 THEN g.wind_mph END,
           g.wind_direction, g.sky, g.sky = 'dome', g.game_ref
    FROM mlb_retrosheet_games AS g JOIN mlb_clubs AS c ON c.retro_code = g.home_code LEFT JOIN mlb_parks AS p USING (site)
    UNION ALL
    SELECT 'statsapi-season-2025', g.league_date, c.abbr, g.venue, g.temperature_f, NULL, NULL, g.weather,
           g.weather IN ('Dome', 'Roof Closed'), g.game_id
    FROM mlb_games AS g SEMI JOIN mlb_statsapi_season_2025_games AS s ON s.game_ref = g.game_id
    JOIN mlb_clubs AS c ON c.team_id = g.home_id
    WHERE g.weather IS NOT NULL OR g.temperature_f IS NOT NULL
)
SELECT source, league_date, CAST(year(league_date) AS VARCHAR) AS season, park, venue, CAST(temp_f AS DOUBLE) AS temp_f,
       CAST(wind_mph AS DOUBLE) AS wind_mph, wind_direction, sky, is_dome,
       CAST(row_number() OVER (PARTITION BY source, park, league_date ORDER BY game_id) AS INTEGER) AS seq, game_id
FROM told
