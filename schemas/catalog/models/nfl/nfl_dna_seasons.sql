-- Pools with the players and seasons of their versions.
SELECT DISTINCT
    pool,
    player_id,
    season
FROM nfl_player_dna
UNION
SELECT DISTINCT
    pool,
    player_id,
    season
FROM nfl_qb_tracking_dna
