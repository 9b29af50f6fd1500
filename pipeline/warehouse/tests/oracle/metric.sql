-- One ratio metric for the versions in `asked`, by the definition: sums of the fighter's bouts before the version
-- begins, the league of the five years before it, and the two drawn together.
WITH part AS (
    SELECT fighter_id, event_date, class, rounds, y, d
    FROM (SELECT *, {numerator} AS y, {denominator} AS d FROM sides)
    WHERE y IS NOT NULL AND d IS NOT NULL
),
own AS (
    SELECT a.fighter_id, a.version,
        count(p.y) AS bouts,
        coalesce(sum(p.rounds), 0) AS rounds,
        coalesce(sum(p.y), 0) AS numerator,
        coalesce(sum(p.d), 0) AS denominator,
        count(*) FILTER (p.d > 0) AS bouts_with_denominator,
        -- Later bouts lack the columns, and the newest that has them is more than a year old.
        coalesce(max(p.event_date) + 1 < a.valid_from AND max(p.event_date) + 365 < a.valid_from, FALSE) AS is_outdated
    FROM asked a LEFT JOIN part p ON p.fighter_id = a.fighter_id AND p.event_date < a.valid_from
    GROUP BY a.fighter_id, a.version, a.valid_from
),
daily AS (
    SELECT event_date, class, count(*) FILTER (d > 0) AS n, sum(y) AS y, sum(d) AS d
    FROM part GROUP BY event_date, class
),
league AS (
    SELECT t, sum(n) AS n, sum(y) / {numerator_per} AS y, sum(d) / {denominator_per} AS d
    FROM (SELECT DISTINCT valid_from AS t FROM asked)
    JOIN daily ON event_date >= t - INTERVAL 5 YEAR AND event_date < t
    GROUP BY t
),
league_of_class AS (
    SELECT t, k.class, sum(y) / {numerator_per} AS y, sum(d) / {denominator_per} AS d
    FROM (SELECT DISTINCT valid_from AS t, class FROM asked WHERE class IS NOT NULL) k
    JOIN daily ON daily.class = k.class AND event_date >= t - INTERVAL 5 YEAR AND event_date < t
    GROUP BY t, k.class
),
prior AS (
    SELECT a.fighter_id, a.version,
        CASE WHEN a.class IS NULL THEN l.y / l.d
            ELSE (coalesce(c.y, 0) + 40 * e * (l.y / l.d)) / (coalesce(c.d, 0) + 40 * e) END AS m,
        {prior_bouts} * e AS k
    FROM asked a
    JOIN (SELECT *, d / n AS e FROM league WHERE n >= 200 AND d > 0) l ON l.t = a.valid_from
    LEFT JOIN league_of_class c ON c.t = a.valid_from AND c.class = a.class
),
scaled AS (
    SELECT o.*, a.eligible_bouts, p.m, p.k,
        o.numerator / {numerator_per} AS y, o.denominator / {denominator_per} AS d,
        {exposure} AS exposure
    FROM own o
    JOIN asked a USING (fighter_id, version)
    LEFT JOIN prior p USING (fighter_id, version)
),
rated AS (
    SELECT *,
        d / (d + k) AS weight,
        CASE WHEN d > 0 THEN y / d END AS raw_value,
        (y + k * m) / (d + k) AS shrunk
    FROM scaled
),
confident AS (
    SELECT *,
        CASE WHEN bouts = 0 THEN 'not_recorded'
            WHEN denominator <= 0 THEN 'not_applicable'
            WHEN m IS NULL OR exposure < {min} OR weight < 0.3 OR bouts < 2 THEN 'insufficient_sample'
            ELSE 'ok' END AS status,
        least(
            CASE WHEN weight >= 0.7 AND bouts >= 5 THEN 3 WHEN weight >= 0.5 AND bouts >= 3 THEN 2 ELSE 1 END,
            {class_cap},
            CASE WHEN bouts < 0.8 * eligible_bouts THEN 2 ELSE 3 END
        ) AS level
    FROM rated
),
expected AS (
    SELECT *, CASE WHEN status = 'ok' THEN shrunk END AS value,
        CASE WHEN status <> 'ok' THEN 'insufficient'
            ELSE ['low', 'medium', 'high'][CASE WHEN is_outdated THEN greatest(level - 1, 1) ELSE level END]
            END AS confidence
    FROM confident
)
SELECT fighter_id, version, status, confidence, bouts, rounds, numerator, denominator,
    exposure, value, raw_value, weight, m AS prior_mean, k AS prior_strength
FROM expected
