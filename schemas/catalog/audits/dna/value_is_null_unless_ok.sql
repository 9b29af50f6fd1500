-- What is not known well enough has no value, and what has one says so.
SELECT *
FROM dna_versions
WHERE (status = 'ok') <> (value IS NOT NULL) OR (value IS NULL) <> (low IS NULL) OR (low IS NULL) <> (high IS NULL)
