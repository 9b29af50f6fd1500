-- Players ranked by a metric of DNA in their pool: of those observed in the year before the newest game that enters,
-- the values that are stated. The least comes first where less is better. In the place of `dna_versions` the engine puts
-- the versions of one file.
WITH newest AS (
    SELECT * FROM dna_versions
    QUALIFY
        valid_from = max(valid_from) OVER (PARTITION BY player_id, metric)
        AND valid_from > max(valid_from) OVER () - 365
)

SELECT
    metric,
    pool,
    player_id,
    player_name,
    label,
    direction,
    CAST(
        rank() OVER (PARTITION BY metric, pool ORDER BY CASE WHEN direction = 'lower' THEN value ELSE -value END)
        AS INTEGER
    ) AS rank,
    unit,
    class,
    value,
    raw_value,
    low,
    high,
    season_low,
    season_high,
    weight,
    pool_mean,
    games,
    exposure,
    confidence,
    reasons,
    percentile,
    pool_size,
    valid_from
FROM newest WHERE status = 'ok'
