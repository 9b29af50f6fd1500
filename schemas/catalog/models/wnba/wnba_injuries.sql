-- What lists of injuries said of players, entry by entry, each with the first and the last capture that had
-- it. The entry that holds of a player on a day is the newest seen before its end.
WITH told AS (
    SELECT
        player_name,
        team_name,
        status,
        detail,
        seen_at
    FROM wnba_line_capture_injuries
    UNION ALL
    SELECT
        player_name,
        team_name,
        status,
        detail,
        seen_at
    FROM wnba_wehoop_boxes_injuries
    UNION ALL
    SELECT
        player_name,
        team_name,
        status,
        detail,
        seen_at
    FROM wnba_recorded_small_injuries
),

entries AS (
    SELECT
        lower(strip_accents(replace(replace(player_name, '.', ''), '''', ''))) AS spelling,
        max(player_name) AS player_name,
        max(team_name) AS team_name,
        lower(status) AS status,
        detail,
        min(seen_at) AS first_seen_at,
        max(seen_at) AS last_seen_at
    FROM told GROUP BY spelling, lower(status), detail
)

SELECT
    e.spelling AS player_key,
    CAST(e.first_seen_at AS DATE) AS seen_on,
    n.player_id,
    e.player_name,
    c.abbr AS team_abbr,
    e.team_name,
    e.status,
    e.detail,
    e.first_seen_at,
    e.last_seen_at
FROM entries AS e
LEFT JOIN wnba_player_names AS n USING (spelling)
LEFT JOIN wnba_clubs AS c ON c.city || ' ' || c.name = e.team_name
QUALIFY
    row_number()
        OVER (
            PARTITION BY e.spelling, CAST(e.first_seen_at AS DATE)
            ORDER BY e.first_seen_at DESC, e.last_seen_at DESC, e.status, e.detail
        )
    = 1
