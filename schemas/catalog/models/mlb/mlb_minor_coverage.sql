-- What is held of the minor leagues by level and season: rows, first and last day, and days between them
-- without any.
WITH rows AS (
    SELECT
        'games' AS content,
        level,
        season,
        league_date AS day
    FROM mlb_minor_games WHERE phase IS NOT NULL
    UNION ALL
    SELECT
        'results',
        level,
        season,
        league_date
    FROM mlb_minor_games WHERE status = 'final'
    UNION ALL
    SELECT
        'plate_appearances',
        level,
        CAST(year(league_date) AS VARCHAR),
        league_date
    FROM mlb_minor_appearances
    UNION ALL
    SELECT
        'teams',
        level,
        season,
        NULL
    FROM mlb_minor_teams
    UNION ALL
    SELECT
        'players',
        level,
        coalesce(listed_in, CAST(year(last_game_on) AS VARCHAR)),
        NULL
    FROM mlb_minor_players
    UNION ALL
    SELECT
        'tracking',
        level,
        CAST(year AS VARCHAR),
        NULL
    FROM mlb_minor_tracking
)

SELECT
    content,
    coalesce(level, 'unknown') AS level,
    coalesce(season, 'unknown') AS season,
    count(*) AS rows,
    min(day) AS first_day,
    max(day) AS last_day,
    CASE WHEN min(day) IS NOT NULL THEN max(day) - min(day) + 1 - count(DISTINCT day) END AS days_without
FROM rows GROUP BY ALL
