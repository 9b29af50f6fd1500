-- Wins and losses of players by level of the event, by round, and by rank of the opponent at the time.
-- Walkovers do not count.
WITH split AS (
    SELECT
        *,
        'level' AS split,
        level AS split_value,
        CAST(list_position(
            ['G', 'F', 'O', 'M', 'PM', 'P', 'A', 'I', 'W', 'D'],
            level
        )
        AS INTEGER) AS place
    FROM tennis_meetings WHERE is_counted
    UNION ALL
    SELECT
        *,
        'round',
        round,
        round_place
    FROM tennis_meetings WHERE is_counted
    UNION ALL
    SELECT
        *,
        'opponent_rank',
        CASE
            WHEN opponent_rank <= 10 THEN '1-10' WHEN opponent_rank <= 50 THEN '11-50'
            WHEN opponent_rank <= 100 THEN '51-100' WHEN opponent_rank > 100 THEN '101-' ELSE 'not_stated'
        END,
        CASE
            WHEN opponent_rank <= 10 THEN 1 WHEN opponent_rank <= 50 THEN 2 WHEN opponent_rank <= 100 THEN 3
            WHEN opponent_rank > 100 THEN 4 ELSE 5
        END
    FROM tennis_meetings WHERE is_counted
)

SELECT
    player_slug,
    split,
    split_value,
    player_id,
    other_id,
    place,
    CAST(count(*) FILTER (is_winner) AS INTEGER) AS wins,
    CAST(count(*) FILTER (NOT is_winner) AS INTEGER) AS losses
FROM split GROUP BY ALL
