-- Players ranked by a metric of DNA on each tour and surface: of those observed in the year before the newest
-- event that enter, the values that are told. The least double-fault rate comes first.
WITH newest AS (
    SELECT * FROM tennis_player_dna
    QUALIFY
        valid_from = max(valid_from) OVER (PARTITION BY subject_key, metric)
        AND valid_from > max(valid_from) OVER (PARTITION BY tour) - 365
)

SELECT
    metric,
    tour,
    surface,
    player_slug,
    player_name,
    label,
    direction,
    CAST(
        rank()
            OVER (PARTITION BY metric, tour, surface ORDER BY CASE WHEN direction = 'lower' THEN value ELSE -value END)
        AS INTEGER
    ) AS rank,
    unit,
    class,
    value,
    raw_value,
    low,
    high,
    weight,
    pool_mean,
    games,
    exposure,
    confidence,
    reasons,
    percentile,
    pool,
    pool_size,
    valid_from
FROM newest WHERE status = 'ok'
