-- Seasons of which a source lists every game. Days of other seasons are known too, and a table of those would
-- be none.
SELECT DISTINCT substr(season_code, 1, 4) || '-' || substr(season_code, 7, 2) AS season
FROM (
    SELECT season_code FROM nhl_boxes_games
    UNION ALL
    SELECT season_code FROM nhl_boxes_schedule
)
