-- Names that lead to one player among all whose ids of the league are known, in the major leagues or the
-- minor ones.
WITH told AS (
    SELECT
        name,
        mlbam_id AS player_id
    FROM mlb_player_ids
    UNION ALL
    SELECT
        player_name,
        player_id
    FROM mlb_players
    UNION ALL
    SELECT
        name,
        player_id
    FROM mlb_minor_players
)

SELECT
    lower(strip_accents(replace(name, '.', ''))) AS folded,
    min(player_id) AS player_id
FROM told
WHERE name IS NOT NULL AND regexp_full_match(player_id, '[0-9]+') GROUP BY folded HAVING count(DISTINCT player_id) = 1
