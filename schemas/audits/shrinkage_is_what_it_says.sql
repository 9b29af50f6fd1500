-- Of every ratio: raw value = Y/D, weight = D/(D + K), and the value is the raw value drawn towards the prior
-- mean by that weight, each in the units that the catalogue states.
WITH ratios AS (
    SELECT
        v.*,
        numerator_y / d AS plain,
        d
    FROM (
        SELECT
            v.*,
            v.numerator / m.numerator_per AS numerator_y,
            v.denominator / m.denominator_per AS d
        FROM version_metrics v JOIN metrics m USING (metric)
        WHERE m.prior_bouts IS NOT NULL
    ) v
)

SELECT
    fighter_id,
    version,
    metric,
    status,
    value,
    raw_value,
    plain,
    weight,
    prior_mean,
    prior_strength
FROM ratios
WHERE
    (d > 0 AND abs(raw_value - plain) > 1e-9 * greatest(abs(plain), 1))
    OR (weight IS NULL) <> (prior_mean IS NULL) OR (weight IS NULL) <> (prior_strength IS NULL)
    OR abs(weight - d / (d + prior_strength)) > 1e-9
    OR NOT (weight BETWEEN 0 AND 1) OR prior_strength <= 0
    OR (status = 'ok' AND weight IS NULL)
    OR abs(value - (weight * plain + (1 - weight) * prior_mean)) > 1e-9 * greatest(abs(value), 1)
