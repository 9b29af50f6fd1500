-- A percentile is between 0 and 100, of a value, and names how many it is among.
SELECT * FROM dna_versions
WHERE
    (percentile IS NULL) <> (pool_size IS NULL)
    OR percentile IS NOT NULL AND (value IS NULL OR pool_size < 1 OR NOT (percentile BETWEEN 0 AND 100))
