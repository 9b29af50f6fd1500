-- Referees and linesmen of games, from recorded pages, which repeat them in every period.
WITH told AS (
    SELECT
        game_id,
        'referee' AS role,
        1 AS place,
        referee1 AS name
    FROM nhl_api_web_recorded_periods
    UNION
    SELECT
        game_id,
        'referee',
        2,
        referee2
    FROM nhl_api_web_recorded_periods
    UNION
    SELECT
        game_id,
        'linesman',
        1,
        linesman1
    FROM nhl_api_web_recorded_periods
    UNION
    SELECT
        game_id,
        'linesman',
        2,
        linesman2
    FROM nhl_api_web_recorded_periods
)

SELECT
    game_id,
    role,
    place,
    max(name) AS name
FROM told WHERE name IS NOT NULL GROUP BY ALL
