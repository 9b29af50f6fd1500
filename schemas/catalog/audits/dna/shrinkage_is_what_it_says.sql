-- A value is the raw one and the mean of the pool, in the shares that the weight says.
SELECT * FROM dna_versions
WHERE
    value IS NOT NULL
    AND raw_value IS NOT NULL
    AND abs(value - weight * raw_value - (1 - weight) * pool_mean) > 1e-9 * greatest(1, abs(value))
