-- A percentile lies from 0 to 100 and has a pool of 30 fighters or more; without a class there is none.
SELECT
    v.fighter_id,
    v.version,
    v.metric,
    v.percentile,
    v.pool_size,
    d.weight_class
FROM version_metrics v JOIN dna_versions d USING (fighter_id, version)
WHERE
    (v.percentile IS NULL) <> (v.pool_size IS NULL)
    OR NOT (v.percentile BETWEEN 0 AND 100)
    OR v.pool_size < 30
    OR (v.percentile IS NOT NULL AND d.weight_class IS NULL)
