-- What ratings before contests said of their results, by season and for all seasons after constants were fitted. In the
-- place of `rated`, `published` and `fitted_to` the engine puts those of one file. Sums are of decimals: those of binary
-- fractions change with the order of rows, which is another with other threads.
WITH sides AS (
    SELECT
        pool,
        season,
        contest,
        step,
        subject,
        score,
        valid_from > DATE 'fitted_to' + 1 AS is_later,
        coalesce(max(contests) OVER (
            PARTITION BY pool, subject ORDER BY step RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS contests_before,
        1 / (1 + 10 ** ((opponent_rating_before - rating_before - advantage) / 400)) AS expected
    FROM rated
),

-- One side of each says it of both. Who has no contest yet has a rating that says nothing of him.
predicted AS (
    SELECT
        pool,
        season,
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
        score,
        expected,
        NOT is_later AS is_fitted
    FROM predicted
    UNION ALL
    SELECT
        pool,
        'measured' AS season,
        score,
        expected,
        false AS is_fitted
    FROM predicted WHERE is_later
    UNION ALL
    SELECT
        r.pool,
        p.season,
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
        abs(sum(CAST(expected - score AS DECIMAL(20, 15)))) AS distance
    FROM scopes GROUP BY pool, season, floor(10 * expected)
),

calibration AS (
    SELECT
        pool,
        season,
        sum(distance) AS distance
    FROM tenths GROUP BY pool, season
)

SELECT
    s.pool,
    s.season,
    bool_or(s.is_fitted) AS is_fitted,
    count(*) AS contests,
    -avg(CAST(s.score * ln(s.expected) + (1 - s.score) * ln(1 - s.expected) AS DECIMAL(20, 15))) AS log_loss,
    avg(CAST((s.expected - s.score) ** 2 AS DECIMAL(20, 15))) AS brier,
    avg(CASE WHEN s.expected = 0.5 THEN 0.5 WHEN s.expected > 0.5 THEN s.score ELSE 1 - s.score END) AS accuracy,
    CAST(any_value(c.distance) AS DOUBLE) / count(*) AS calibration_error,
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
