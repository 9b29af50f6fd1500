-- What is held of each tour and season: matches, those with statistics of serve, and those with points.
-- Points of matches that the main sources do not have are counted by the slam's year; `doubles` are pairs of
-- men, women or both.
WITH pointed AS (
    SELECT
        CASE WHEN partner_1 IS NOT NULL THEN
            'doubles' WHEN TRY_CAST(
            regexp_extract(match_ref, '-(\d)\d+$', 1)
            AS INTEGER
        ) = 1 THEN 'atp'
        ELSE 'wta' END AS tour,
        CAST(year AS VARCHAR) AS season,
        count(*) AS n
    FROM tennis_slam_points_matches WHERE match_ref IN (SELECT match_ref FROM tennis_slam_points_points) GROUP BY ALL
),

matches AS (
    SELECT
        tour,
        season,
        count(*) AS matches,
        count(*) FILTER (has_statistics) AS with_statistics
    FROM tennis_matches
    GROUP BY ALL
)

SELECT
    tour,
    season,
    CAST(coalesce(m.matches, 0) AS INTEGER) AS matches,
    CAST(coalesce(m.with_statistics, 0) AS INTEGER)
        AS with_statistics,
    CAST(coalesce(p.n, 0) AS INTEGER) AS with_points
FROM matches AS m FULL JOIN pointed AS p USING (tour, season)
