-- Every match that any source states, with all its ids; one of which only points are captured has the id of
-- its points.
SELECT
    match_id,
    source_id,
    other_id,
    points_id
FROM tennis_matches
UNION ALL
SELECT
    match_id,
    NULL,
    NULL,
    points_id
FROM tennis_point_matches WHERE match_id = points_id
