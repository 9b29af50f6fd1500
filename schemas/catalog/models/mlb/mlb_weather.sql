-- Weather of games by park and day, as each source states it.
SELECT 'props-batter-2026' AS source, league_date, CAST(year(league_date) AS VARCHAR) AS season, home_abbr AS park, temp_f, wind_mph,
       CAST(NULL AS VARCHAR) AS wind_direction, CAST(NULL AS VARCHAR) AS sky, is_dome = 1 AS is_dome, 1 AS seq,
       CAST(NULL AS VARCHAR) AS game_id
FROM mlb_props_batter_weather
