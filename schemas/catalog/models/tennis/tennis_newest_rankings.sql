-- The newest captured ranking of each player, and his best.
WITH lists AS (
    SELECT
        'atp-' || player_ref AS player_id,
        ranking_date,
        rank,
        points
    FROM tennis_atp_matches_rankings
    UNION ALL
    SELECT
        'wta-' || player_ref,
        ranking_date,
        rank,
        points
    FROM tennis_wta_matches_rankings
)

SELECT
    player_id,
    max(ranking_date) AS ranked_on,
    max_by(rank, ranking_date) AS rank,
    max_by(points, ranking_date) AS rank_points,
    min(rank) AS best_rank
FROM lists GROUP BY player_id
