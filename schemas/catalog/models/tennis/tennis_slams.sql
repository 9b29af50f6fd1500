-- Grand Slams by year: champions of both tours, and the matches whose points are captured. Without a captured
-- final the champion is not known.
WITH named AS (
    SELECT * FROM (VALUES (
        'ausopen', 'australian-open', 'Australian Open', 1), (
        'frenchopen', 'roland-garros',
        'Roland Garros', 2
    ),
    (
        'wimbledon', 'wimbledon', 'Wimbledon', 3), ('usopen', 'us-open', 'US Open', 4)) AS t (
        slam,
        event_slug, name, place
    )
),

pointed AS (
    SELECT
        n.event_slug,
        CAST(m.year AS VARCHAR) AS season,
        CAST(count(*) AS INTEGER) AS matches_with_points
    FROM tennis_slam_points_matches AS m JOIN named AS n USING (slam)
    WHERE m.match_ref IN (SELECT match_ref FROM tennis_slam_points_points) GROUP BY ALL
),

held AS (
    SELECT
        event_slug,
        season
    FROM tennis_editions WHERE level = 'G'
    UNION
    SELECT
        event_slug,
        season
    FROM pointed
)

SELECT
    h.season,
    h.event_slug,
    n.name,
    CAST(n.place AS INTEGER) AS place,
    a.champion_slug AS men_champion_slug,
    a.champion_name AS men_champion_name,
    a.finalist_slug AS men_finalist_slug,
    a.finalist_name AS men_finalist_name,
    a.final_score AS men_final_score,
    a.final_id AS men_final_id,
    w.champion_slug AS women_champion_slug,
    w.champion_name AS women_champion_name,
    w.finalist_slug AS women_finalist_slug,
    w.finalist_name AS women_finalist_name,
    w.final_score AS women_final_score,
    w.final_id AS women_final_id,
    coalesce(p.matches_with_points, 0) AS matches_with_points
FROM held AS h JOIN named AS n USING (event_slug)
LEFT JOIN tennis_editions AS a ON a.tour = 'atp' AND a.event_slug = h.event_slug AND a.season = h.season
LEFT JOIN tennis_editions AS w ON w.tour = 'wta' AND w.event_slug = h.event_slug AND w.season = h.season
LEFT JOIN pointed AS p ON p.event_slug = h.event_slug AND p.season = h.season
