-- The rating of each subject from the day after each day with contests. In the place of `rated` the engine puts the
-- contests of one file.
SELECT
    pool,
    subject,
    any_value(subject_name) AS subject_name,
    valid_from,
    max_by(season, step) AS season,
    max_by(rating_after, step) AS rating,
    max(contests) AS contests
FROM rated GROUP BY pool, subject, valid_from
ORDER BY pool, subject, valid_from
