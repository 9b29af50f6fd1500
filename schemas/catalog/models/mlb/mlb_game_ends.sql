-- Day by which a game of Retrosheet was over. A suspended game keeps its first day as its date; a comment
-- says on which day it was completed.
WITH told AS (
    SELECT
        game_id,
        regexp_extract(
            text, 'suspended .*completed on ([0-9]{2}-[0-9]{2}-[0-9]{4}|[A-Z][a-z]+ [0-9]{1,2}, [0-9]{4})', 1
        ) AS day
    FROM mlb_plays WHERE text LIKE '%suspended%'
),

ends AS (
    SELECT
        game_id,
        max(CAST(try_strptime(day, ['%m-%d-%Y', '%B %d, %Y']) AS DATE)) AS last_day
    FROM told GROUP BY game_id
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    greatest(g.league_date, e.last_day) AS last_day
FROM mlb_games AS g LEFT JOIN ends AS e USING (game_id)
