-- What ratings before contests said of their results, by season and for all seasons after constants were fitted. In the
-- place of `rated`, `published` and `fitted_to` the engine puts those of one file. Sums of fractions are taken in the
-- order of contests, so that any number of threads gives the same bits.
WITH sides AS (
    SELECT
        pool,
        season,
        contest,
        step,
        subject,
        score,
        valid_from > DATE 'fitted_to' + 1 AS is_later,
        lag(contests, 1, 0) OVER (PARTITION BY pool, subject ORDER BY step, contest) AS contests_before,
        1 / (1 + 10 ** ((opponent_rating_before - rating_before - advantage) / 400)) AS expected
    FROM rated
),

-- One side of each says it of both. Who has no contest yet has a rating that says nothing of him.
predicted AS (
    SELECT
        pool,
        season,
        step,
        contest,
        is_later,
        score,
        expected
    FROM sides
    QUALIFY
        row_number() OVER (PARTITION BY pool, step, contest ORDER BY subject) = 1
        AND min(contests_before) OVER (PARTITION BY pool, step, contest) > 0
),

scopes AS (
    SELECT
        pool,
        season,
        step,
        contest,
        score,
        expected,
        NOT is_later AS is_fitted
    FROM predicted
    UNION ALL
    SELECT
        pool,
        'measured' AS season,
        step,
        contest,
        score,
        expected,
        false AS is_fitted
    FROM predicted WHERE is_later
    UNION ALL
    SELECT
        r.pool,
        p.season,
        r.step,
        r.contest,
        r.score,
        r.expected,
        NOT r.is_later AS is_fitted
    FROM predicted AS r
    JOIN published AS p ON r.pool = p.pool AND r.season BETWEEN p.first_season AND p.last_season
    WHERE p.first_season < p.last_season
),

tenths AS (
    SELECT
        pool,
        season,
        floor(10 * expected) AS tenth,
        abs(sum(expected ORDER BY step, contest) - sum(score ORDER BY step, contest)) AS distance
    FROM scopes GROUP BY pool, season, tenth
),

calibration AS (
    SELECT
        pool,
        season,
        sum(distance ORDER BY tenth) AS distance
    FROM tenths GROUP BY pool, season
)

SELECT
    s.pool,
    s.season,
    bool_or(s.is_fitted) AS is_fitted,
    count(*) AS contests,
    -avg(s.score * ln(s.expected) + (1 - s.score) * ln(1 - s.expected) ORDER BY s.step, s.contest) AS log_loss,
    avg((s.expected - s.score) ** 2 ORDER BY s.step, s.contest) AS brier,
    avg(CASE WHEN s.expected = 0.5 THEN 0.5 WHEN s.expected > 0.5 THEN s.score ELSE 1 - s.score END) AS accuracy,
    any_value(c.distance) / count(*) AS calibration_error,
    any_value(p.log_loss) AS published_log_loss,
    any_value(p.brier) AS published_brier,
    any_value(p.accuracy) AS published_accuracy,
    any_value(p.source) AS published_source,
    any_value(p.url) AS published_url
FROM scopes AS s
JOIN calibration AS c USING (pool, season)
LEFT JOIN published AS p USING (pool, season)
GROUP BY s.pool, s.season
ORDER BY s.pool, s.season
