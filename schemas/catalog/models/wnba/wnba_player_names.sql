-- Names of players as lists without ids write them, with the id that the name has alone in its newest
-- seasons.
WITH names AS (
    SELECT
        player_id,
        player_name,
        max(league_date) AS last_on
    FROM wnba_box_players
    WHERE player_name IS NOT NULL AND phase IN ('regular', 'playoffs')
    GROUP BY ALL
)

SELECT
    lower(strip_accents(replace(replace(player_name, '.', ''), '''', ''))) AS spelling,
    min(player_id) AS player_id
FROM names GROUP BY spelling HAVING count(DISTINCT player_id) = 1
