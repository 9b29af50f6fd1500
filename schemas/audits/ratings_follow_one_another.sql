-- A rating begins at 1500; each date's begins where the date before ended, and ends with all of its bouts;
-- both sides of a bout tell the same story.
WITH dates AS (
    SELECT
        fighter_id,
        event_date,
        min(rating_before) AS before,
        max(rating_before) AS before_too,
        min(rating_after) AS after,
        max(rating_after) AS after_too,
        sum(delta) AS delta
    FROM ratings GROUP BY fighter_id, event_date
),

ordered AS (
    SELECT
        *,
        lag(after, 1, 1500.0) OVER (PARTITION BY fighter_id ORDER BY event_date) AS earlier
    FROM dates
)

SELECT
    fighter_id,
    event_date,
    earlier,
    before,
    delta,
    after
FROM ordered
WHERE
    before <> before_too OR after <> after_too OR abs(before - earlier) > 1e-6
    OR abs(before + delta - after) > 1e-6
UNION ALL
SELECT
    a.fighter_id,
    a.event_date,
    NULL,
    a.rating_before,
    a.score,
    b.score
FROM ratings a LEFT JOIN ratings b ON b.bout_id = a.bout_id AND b.fighter_id = a.opponent_id
WHERE
    b.fighter_id IS NULL OR abs(a.score + b.score - 1) > 1e-9
    OR a.opponent_rating_before <> b.rating_before
