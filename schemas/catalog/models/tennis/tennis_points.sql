-- Points of slam matches in order. The score is the one after the point. Odd numbers of servers are of the
-- first side. A speed of 0 was not measured, and a length of the rally of 0 not counted.
SELECT
    m.points_id,
    CAST(
        row_number() OVER (PARTITION BY p.match_ref ORDER BY TRY_CAST(p.point_text AS INTEGER), p.file, p.line)
        AS INTEGER
    ) AS seq,
    m.match_id,
    x.source_id,
    x.other_id,
    m.side_1,
    m.side_2,
    p.set_number,
    p.game_number,
    TRY_CAST(p.point_text AS INTEGER)
        AS point_number,
    CASE WHEN p.server > 0 THEN CASE WHEN p.server % 2 = 1 THEN 1 ELSE 2 END END AS server_side,
    nullif(p.server, 0)
        AS server_number,
    nullif(p.serve_number, 0) AS serve_number,
    nullif(p.point_winner, 0) AS winner_side,
    p.score_1,
    p.score_2,
    p.games_1,
    p.games_2,
    nullif(p.game_winner, 0) AS game_winner_side,
    nullif(p.set_winner, 0) AS set_winner_side,
    coalesce(p.ace_1 + p.ace_2, 0) > 0 AS is_ace,
    coalesce(p.double_fault_1 + p.double_fault_2, 0) > 0 AS is_double_fault,
    nullif(p.rally_count, 0) AS rally,
    nullif(p.speed_kmh, 0) AS speed_kmh,
    m.sets,
    m.match_winner_side
FROM tennis_slam_points_points AS p JOIN tennis_point_matches AS m ON m.points_id = p.match_ref
LEFT JOIN tennis_match_ids AS x ON x.match_id = m.match_id AND x.points_id = m.points_id
WHERE regexp_full_match(p.point_text, '\d+')
