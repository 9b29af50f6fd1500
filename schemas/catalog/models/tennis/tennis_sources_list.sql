-- What each source of tennis holds, under which licence, and when it was captured last.
WITH held AS (
    SELECT
        'atp-matches' AS source,
        'matches' AS content,
        count(*) AS rows,
        max(captured_at) AS last_captured_at
    FROM tennis_atp_matches_matches
    UNION ALL
    SELECT
        'atp-matches',
        'players',
        count(*),
        max(captured_at)
    FROM tennis_atp_matches_players
    UNION ALL
    SELECT
        'atp-matches',
        'rankings',
        count(*),
        max(captured_at)
    FROM tennis_atp_matches_rankings
    UNION ALL
    SELECT
        'wta-matches',
        'matches',
        count(*),
        max(captured_at)
    FROM tennis_wta_matches_matches
    UNION ALL
    SELECT
        'wta-matches',
        'players',
        count(*),
        max(captured_at)
    FROM tennis_wta_matches_players
    UNION ALL
    SELECT
        'wta-matches',
        'rankings',
        count(*),
        max(captured_at)
    FROM tennis_wta_matches_rankings
    UNION ALL
    SELECT
        'atp-other-ids',
        'matches',
        count(*),
        max(captured_at)
    FROM tennis_atp_other_ids_matches
    UNION ALL
    SELECT
        'atp-other-ids',
        'players',
        count(*),
        max(captured_at)
    FROM tennis_atp_other_ids_players
    UNION ALL
    SELECT
        'slam-points',
        'points',
        count(*),
        max(captured_at)
    FROM tennis_slam_points_points
    UNION ALL
    SELECT
        'slam-points',
        'matches',
        count(*),
        max(captured_at)
    FROM tennis_slam_points_matches
    UNION ALL
    SELECT
        'charting',
        'matches',
        count(*),
        max(captured_at)
    FROM tennis_charting_matches
    UNION ALL
    SELECT
        'charting',
        'overview',
        count(*),
        max(captured_at)
    FROM tennis_charting_overview
    UNION ALL
    SELECT
        'scoreboard-recorded',
        'matches',
        count(*),
        max(captured_at)
    FROM tennis_scoreboard_recorded_matches
    WHERE event_uid LIKE 's:850%'
)

SELECT
    source,
    content,
    CASE WHEN source = 'scoreboard-recorded' THEN 'T' ELSE 'NC' END AS licence,
    rows,
    CAST(last_captured_at AS DATE) AS last_captured_on
FROM held WHERE rows > 0
