-- Officials of games.
SELECT
    game_id,
    CAST(row_number() OVER (PARTITION BY game_id ORDER BY place) AS INTEGER) AS place,
    trim(name) AS official_name
FROM (
    SELECT
        game_id,
        unnest(string_split(officials, '|')) AS name,
        unnest(range(1, len(string_split(officials, '|')) + 1)) AS place
    FROM wnba_line_capture_game_info WHERE officials IS NOT NULL
)
WHERE trim(name) <> ''
