-- A value lies within its interval, and a weight is a share.
SELECT * FROM dna_versions WHERE NOT (low <= value AND value <= high) OR NOT (weight BETWEEN 0 AND 1)
