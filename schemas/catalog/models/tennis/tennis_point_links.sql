-- Singles of slams that lists of points name, linked to matches by event and both names, whichever won. One
-- that has no match in the main sources, since its season is not captured, has no row.
WITH listed AS (
    SELECT
        match_ref,
        CAST(year AS VARCHAR) AS season,
        CASE slam
            WHEN 'ausopen' THEN 'Australian Open' WHEN 'frenchopen' THEN 'Roland Garros' WHEN 'wimbledon'
                THEN 'Wimbledon'
            ELSE 'Us Open'
        END AS event_name,
        lower(strip_accents(player_1)) AS a,
        lower(strip_accents(player_2)) AS b
    FROM tennis_slam_points_matches
    WHERE partner_1 IS NULL AND match_ref IN (SELECT match_ref FROM tennis_slam_points_points)
)

SELECT
    l.match_ref,
    m.match_id
FROM listed
    AS l JOIN tennis_match_facts AS m ON m.season = l.season
AND lower(m.event_name) = lower(l.event_name) AND lower(strip_accents(m.winner_name)) IN (l.a, l.b)
AND lower(strip_accents(m.loser_name)) IN (l.a, l.b) AND m.level = 'G'
