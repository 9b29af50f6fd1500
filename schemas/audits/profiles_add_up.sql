-- A version's rounds sum to its career sums, and its endings to its eligible bouts.
WITH rounds AS (
    SELECT
        fighter_id,
        version,
        sum(sig_landed) AS sig_landed,
        sum(o_sig_landed) AS o_sig_landed,
        sum(secs) AS secs,
        sum(control_secs) AS control_secs,
        max(bouts) FILTER (round = 1) AS bouts
    FROM round_profiles WHERE scope = 'all' GROUP BY ALL
),

endings AS (
    SELECT
        fighter_id,
        version,
        sum(bouts) AS bouts
    FROM finish_profiles GROUP BY ALL
)

SELECT
    fighter_id,
    version,
    v.eligible_bouts,
    r.bouts AS bouts_by_round,
    e.bouts AS bouts_by_ending,
    v.sig_landed_per_min__numerator AS sig_landed,
    r.sig_landed AS sig_landed_by_round,
    v.sig_landed_per_min__denominator AS secs,
    r.secs AS secs_by_round
FROM dna_versions v LEFT JOIN rounds r USING (fighter_id, version) LEFT JOIN endings e USING (fighter_id, version)
WHERE
    v.sig_landed_per_min__numerator IS DISTINCT FROM r.sig_landed
    OR v.sig_absorbed_per_min__numerator IS DISTINCT FROM r.o_sig_landed
    OR v.sig_landed_per_min__denominator IS DISTINCT FROM r.secs
    OR v.control_share__numerator IS DISTINCT FROM r.control_secs
    OR v.eligible_bouts IS DISTINCT FROM r.bouts
    OR v.eligible_bouts IS DISTINCT FROM e.bouts
