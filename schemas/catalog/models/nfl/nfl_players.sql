-- Players by the league's id. Of the position, the map of ids counts first, then the list of players, then
-- the newest depth chart; a player whom none of them knows has none. Positions that teams are compared by:
-- kickers and punters are K and P everywhere.
WITH mapped AS (
    SELECT
        player_id,
        max(player_name) AS player_name,
        max(espn_id) AS espn_id,
        max(pfr_id) AS pfr_id,
        max(born_on) AS born_on,
        max(height_in) AS height_in,
        max(weight_lb) AS weight_lb,
        max(college) AS college,
        max(CASE position WHEN 'PK' THEN 'K' WHEN 'PN' THEN 'P' WHEN 'XX' THEN NULL ELSE position END) AS position
    FROM nfl_release_export_player_ids WHERE player_id IS NOT NULL GROUP BY player_id
),

charted AS (
    SELECT
        player_id,
        player_name,
        CASE position
            WHEN 'PK' THEN 'K' WHEN 'KR' THEN NULL WHEN 'PR' THEN NULL WHEN 'H' THEN NULL
            ELSE position
        END AS position,
        espn_id
    FROM nfl_release_export_depth_charts WHERE player_id IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY
            player_id ORDER BY
            position IN ('KR', 'PR', 'H'), seen_at DESC, rank, position, slot,
            team_abbr
    ) = 1
),

acted AS (
    SELECT
        player_id,
        max(player_name) AS short_name
    FROM nfl_gamecenter_player_lines
    WHERE player_id <> '0'
    GROUP BY player_id
),

reported AS (
    SELECT
        player_id,
        max(player_name) AS player_name,
        max(position) AS position
    FROM nfl_release_export_injuries GROUP BY player_id
),

tracked AS (
    SELECT
        player_id,
        max(player_name) AS player_name
    FROM nfl_release_export_tracking GROUP BY player_id
),

profiles AS (
    SELECT
        player_id,
        min(profile_id) AS profile_id,
        min(player_name) AS player_name,
        min(position) AS position
    FROM nfl_profile_ids WHERE player_id IS NOT NULL GROUP BY player_id
),

ids AS (
    SELECT player_id FROM nfl_gamecenter_players
    UNION
    SELECT player_id FROM mapped
    UNION
    SELECT player_id FROM charted
    UNION
    SELECT player_id FROM acted
    UNION
    SELECT player_id FROM reported
    UNION
    SELECT player_id FROM tracked
    UNION
    SELECT player_id FROM profiles
)

SELECT
    i.player_id,
    coalesce(m.player_name, g.player_name, c.player_name, r.player_name, t.player_name, p.player_name)
        AS player_name,
    coalesce(a.short_name, g.short_name) AS short_name,
    coalesce(m.position, CASE g.position WHEN 'SAF' THEN 'S' ELSE g.position END, c.position, r.position, p.position)
        AS position,
    coalesce(m.born_on, g.born_on) AS born_on,
    coalesce(m.height_in, g.height_in) AS height_in,
    coalesce(m.weight_lb, g.weight_lb) AS weight_lb,
    coalesce(m.college, g.college) AS college,
    coalesce(CAST(m.espn_id AS VARCHAR), c.espn_id) AS espn_id,
    m.pfr_id,
    CAST(coalesce(g.profile_id, p.profile_id) AS VARCHAR) AS profile_id
FROM ids AS i
LEFT JOIN nfl_gamecenter_players AS g USING (player_id) LEFT JOIN mapped AS m USING (player_id)
LEFT JOIN charted AS c USING (player_id)
LEFT JOIN acted AS a USING (player_id)
LEFT JOIN reported AS r USING (player_id)
LEFT JOIN tracked AS t USING (player_id)
LEFT JOIN profiles AS p USING (player_id)
