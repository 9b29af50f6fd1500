-- One version for each fighter and date with eligible bouts, and none else; each with all of them up to that
-- date.
WITH eligible AS (
    SELECT DISTINCT
        r.fighter_id,
        b.bout_id,
        b.event_date
    FROM round_stats r JOIN bouts b USING (bout_id) JOIN results USING (bout_id)
    WHERE b.event_date >= DATE '2000-11-17' AND total_secs > 0
),

expected AS (
    SELECT
        fighter_id,
        event_date + 1 AS valid_from,
        sum(count(*)) OVER (PARTITION BY fighter_id ORDER BY event_date) AS bouts,
        row_number() OVER (PARTITION BY fighter_id ORDER BY event_date) AS version
    FROM eligible GROUP BY fighter_id, event_date
)

SELECT
    fighter_id,
    valid_from,
    v.version,
    e.version AS expected_version,
    v.eligible_bouts,
    e.bouts AS expected_bouts
FROM dna_versions v FULL JOIN expected e USING (fighter_id, valid_from)
WHERE v.version IS DISTINCT FROM e.version OR v.eligible_bouts IS DISTINCT FROM e.bouts
