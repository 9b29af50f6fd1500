-- A denominator of 0 gives no ratio: raw value and value are null and the status says why, and the other way
-- round a ratio with a denominator has its raw value.
SELECT
    fighter_id,
    version,
    metric,
    status,
    denominator,
    raw_value,
    value
FROM version_metrics
WHERE
    denominator IS NOT NULL
    AND (
        (denominator <= 0) <> (raw_value IS NULL)
        OR (denominator <= 0 AND (value IS NOT NULL OR status NOT IN ('not_applicable', 'not_recorded')))
        OR (denominator > 0 AND status IN ('not_applicable', 'not_recorded'))
        OR (status = 'not_recorded') <> (bouts = 0)
    )
