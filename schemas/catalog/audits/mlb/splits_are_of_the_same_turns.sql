-- A player's plate appearances are as many by the other's hand as by park and as at home and away.
WITH newest AS (
    SELECT * FROM mlb_player_splits
    QUALIFY valid_from = max(valid_from) OVER (PARTITION BY role, player_id, split, split_value)
),

sums AS (
    SELECT
        role,
        player_id,
        split,
        sum(plate_appearances) AS plate_appearances,
        sum(strikeouts) AS strikeouts,
        sum(home_runs) AS home_runs
    FROM newest GROUP BY ALL
)

SELECT
    role,
    player_id
FROM sums GROUP BY ALL
HAVING
    count(*) < 3
    OR min(plate_appearances) < max(plate_appearances)
    OR min(strikeouts) < max(strikeouts)
    OR min(home_runs) < max(home_runs)
