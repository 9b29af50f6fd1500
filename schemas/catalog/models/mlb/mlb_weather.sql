-- Weather of games by park and day, as each source states it. Event files say a dome, the league's list of games a closed roof.
WITH games AS (
    SELECT CASE WHEN r.game_ref IS NOT NULL THEN 'retrosheet' WHEN g.season = '2025' THEN 'statsapi-season-2025'
                ELSE 'statsapi' END AS source,
           g.league_date, g.season, g.home_abbr AS park, g.venue, CAST(g.temperature_f AS DOUBLE) AS temp_f, g.wind,
           g.weather AS sky, g.game_id
    FROM mlb_games AS g LEFT JOIN mlb_retrosheet_games AS r ON r.game_ref = g.retro_id
    WHERE g.temperature_f IS NOT NULL AND g.home_abbr IS NOT NULL
)
SELECT 'props-batter-2026' AS source, league_date, CAST(year(league_date) AS VARCHAR) AS season, home_abbr AS park,
       CAST(NULL AS VARCHAR) AS venue, temp_f, wind_mph, CAST(NULL AS VARCHAR) AS wind_direction, CAST(NULL AS VARCHAR) AS sky,
       is_dome = 1 AS is_dome, 1 AS seq, CAST(NULL AS VARCHAR) AS game_id
FROM mlb_props_batter_weather
UNION ALL
SELECT source, league_date, season, park, venue, temp_f, TRY_CAST(regexp_extract(wind, '^([0-9]+) mph', 1) AS DOUBLE) AS wind_mph,
       nullif(nullif(regexp_extract(wind, '^[0-9]+ mph, (.*)$', 1), ''), 'None') AS wind_direction, sky,
       CASE WHEN sky IS NOT NULL THEN sky IN ('dome', 'Dome', 'Roof Closed') END AS is_dome,
       CAST(row_number() OVER (PARTITION BY source, park, league_date ORDER BY game_id) AS INTEGER) AS seq, game_id
FROM games
