-- The league's ids of players of the weekly lines, which have ids of the league's site: by a map, else by
-- name and position where one profile and one player of the map of ids, of depth charts or of injury reports
-- have them.
WITH profiles AS (
    SELECT
        TRY_CAST(profile_id AS INTEGER) AS profile_id,
        max(player_name) AS player_name,
        max(position) AS position
    FROM (
        SELECT
            profile_id,
            player_name,
            position
        FROM nfl_player_weeks_lines
        UNION ALL
        SELECT
            profile_id,
            player_name,
            position
        FROM nfl_player_weeks_kickers
    )
    WHERE TRY_CAST(profile_id AS INTEGER) IS NOT NULL GROUP BY 1
),

mapped AS (
    SELECT
        profile_id,
        min(player_id) AS player_id
    FROM (
        SELECT
            profile_id,
            player_id
        FROM nfl_gamecenter_players
        UNION
        SELECT
            profile_id,
            player_id
        FROM nfl_release_export_player_ids
    )
    WHERE profile_id IN (SELECT profile_id FROM profiles) AND player_id IS NOT NULL GROUP BY profile_id
    HAVING count(DISTINCT player_id) = 1
),

folded AS (
    SELECT
        profile_id,
        regexp_replace(
            lower(strip_accents(player_name)), '( jr\.?| sr\.?| ii| iii| iv|[^a-z])', '',
            'g'
        ) AS name_key,
        position
    FROM profiles WHERE profile_id NOT IN (SELECT profile_id FROM mapped)
),

named_elsewhere AS (
    SELECT
        player_id,
        player_name,
        position
    FROM nfl_release_export_player_ids WHERE coalesce(draft_year, 2010) >= 2005
    UNION
    SELECT
        player_id,
        player_name,
        position
    FROM nfl_release_export_depth_charts
    UNION
    SELECT
        player_id,
        player_name,
        position
    FROM nfl_release_export_injuries
),

known AS (
    SELECT DISTINCT
        player_id,
        regexp_replace(
            lower(strip_accents(player_name)), '( jr\.?| sr\.?| ii| iii| iv|[^a-z])', '',
            'g'
        ) AS name_key,
        CASE position WHEN 'PK' THEN 'K' WHEN 'FB' THEN 'RB' ELSE position END AS position
    FROM named_elsewhere WHERE player_id IS NOT NULL AND player_id NOT IN (SELECT player_id FROM mapped)
),

named AS (
    SELECT
        f.profile_id,
        min(k.player_id) AS player_id
    FROM folded AS f JOIN known AS k USING (name_key, position)
    WHERE
        (f.name_key, f.position) IN (
            SELECT (name_key, position) FROM folded GROUP BY name_key, position HAVING count(*) = 1
        )
    GROUP BY f.profile_id HAVING count(DISTINCT k.player_id) = 1
)

-- No two profiles are one player.
SELECT
    p.profile_id,
    p.player_name,
    p.position,
    CASE
        WHEN count(*) OVER (PARTITION BY coalesce(m.player_id, n.player_id)) = 1
            THEN coalesce(m.player_id, n.player_id)
    END AS player_id,
    CASE WHEN m.player_id IS NOT NULL THEN 'map' WHEN n.player_id IS NOT NULL THEN 'name_and_position' END AS linked_by
FROM profiles AS p LEFT JOIN mapped AS m USING (profile_id) LEFT JOIN named AS n USING (profile_id)
