-- The league's id of players whom Retrosheet names, where the map of ids leads to exactly one; else his id
-- there is his id here.
WITH one AS (
    SELECT
        retro_id,
        min(mlbam_id) AS mlbam_id
    FROM mlb_player_ids WHERE retro_id IS NOT NULL AND mlbam_id IS NOT NULL
    GROUP BY retro_id HAVING count(DISTINCT mlbam_id) = 1
),

sure AS (
    SELECT
        retro_id,
        mlbam_id
    FROM one QUALIFY count(*) OVER (PARTITION BY mlbam_id) = 1
),

told AS (
    SELECT
        player_ref,
        concat_ws(' ', first_name, last_name) AS name,
        1 AS preference,
        club_year AS place
    FROM mlb_retrosheet_rosters
    UNION ALL
    SELECT
        player_ref,
        name,
        2,
        game_ref
    FROM mlb_retrosheet_appearances WHERE name IS NOT NULL
),

named AS (
    SELECT
        player_ref,
        name
    FROM told
    QUALIFY row_number() OVER (PARTITION BY player_ref ORDER BY preference, place DESC, name) = 1
)

SELECT
    n.player_ref AS retro_id,
    coalesce(s.mlbam_id, n.player_ref) AS player_id,
    n.name,
    s.mlbam_id IS NOT NULL AS is_linked
FROM named AS n LEFT JOIN sure AS s ON s.retro_id = n.player_ref
