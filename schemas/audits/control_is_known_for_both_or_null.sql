-- Control time counts only in bouts where it is known in every round for both fighters: a version's control
-- metrics rest on exactly those of his eligible bouts, none of which gives null, never 0.
WITH bout_control AS (
    SELECT
        bout_id,
        bool_and(control_secs IS NOT NULL) AS is_known
    FROM round_stats GROUP BY bout_id
),

own AS (
    SELECT
        r.bout_id,
        r.fighter_id,
        b.event_date,
        c.is_known,
        sum(r.control_secs) AS secs
    FROM round_stats r JOIN bouts b USING (bout_id) JOIN results USING (bout_id) JOIN bout_control c USING (bout_id)
    WHERE b.event_date >= DATE '2000-11-17' AND total_secs > 0
    GROUP BY ALL
),

expected AS (
    SELECT
        v.fighter_id,
        v.version,
        count(*) FILTER (o.is_known) AS bouts,
        coalesce(sum(o.secs) FILTER (o.is_known), 0) AS secs
    FROM dna_versions v JOIN own o ON o.fighter_id = v.fighter_id AND o.event_date < v.valid_from
    GROUP BY ALL
)

SELECT
    v.fighter_id,
    v.version,
    e.bouts AS known_bouts,
    v.control_share__bouts AS bouts,
    e.secs AS known_secs,
    v.control_share__numerator AS secs,
    v.control_share__raw_value AS raw_value
FROM dna_versions v LEFT JOIN expected e USING (fighter_id, version)
WHERE
    v.control_share__bouts IS DISTINCT FROM e.bouts
    OR v.control_share__numerator IS DISTINCT FROM e.secs
    OR (e.bouts = 0 AND (
        v.control_share__raw_value IS NOT NULL OR v.control_share__value IS NOT NULL
        OR v.control_share__status <> 'not_recorded'
    ))
