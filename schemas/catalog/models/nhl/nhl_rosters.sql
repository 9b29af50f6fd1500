-- Players of teams by season. The source names a season by the year in which it ends.
WITH listed AS (
    SELECT team_abbr, CAST(CAST(file_season AS INTEGER) - 1 AS VARCHAR) || '-' || substr(file_season, 3, 2) AS season,
           player_id, full_name AS name, position, sweater_number,
           row_number() OVER (PARTITION BY team_abbr, file_season, player_id ORDER BY file, line) AS nth
    FROM nhl_boxes_rosters WHERE regexp_full_match(file_season, '[0-9]{4}')
)
SELECT * EXCLUDE (nth) FROM listed WHERE nth = 1
