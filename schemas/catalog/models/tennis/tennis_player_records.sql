-- Wins and losses of players by season and surface, where `all` is all surfaces together. Walkovers do not
-- count.
WITH split AS (
    SELECT
        player_slug,
        player_id,
        other_id,
        season,
        is_winner,
        'all' AS surface
    FROM tennis_meetings WHERE is_counted
    UNION ALL
    SELECT
        player_slug,
        player_id,
        other_id,
        season,
        is_winner,
        surface
    FROM
        tennis_meetings WHERE is_counted
    AND surface IS NOT NULL
)

SELECT
    player_slug,
    season,
    surface,
    player_id,
    other_id,
    CAST(count(*) FILTER (is_winner) AS INTEGER) AS wins,
    CAST(count(*) FILTER (NOT is_winner) AS INTEGER) AS losses
FROM split GROUP BY ALL
