-- A value stands where the status is ok, and nowhere else; with it stand its interval, which holds it, and a
-- confidence that is not insufficient.
SELECT
    fighter_id,
    version,
    metric,
    status,
    value,
    interval_low,
    interval_high,
    confidence
FROM version_metrics
WHERE
    (status = 'ok') IS DISTINCT FROM (value IS NOT NULL)
    OR status NOT IN ('ok', 'insufficient_sample', 'not_recorded', 'not_applicable')
    OR confidence NOT IN ('high', 'medium', 'low', 'insufficient')
    OR (status = 'ok') IS DISTINCT FROM (confidence <> 'insufficient')
    OR (interval_low IS NULL) <> (interval_high IS NULL)
    OR (status <> 'ok' AND (interval_low IS NOT NULL OR percentile IS NOT NULL))
    OR NOT (value BETWEEN interval_low - 1e-9 AND interval_high + 1e-9)
    OR isnan(value) OR isinf(value) OR isnan(raw_value) OR isinf(raw_value)
