-- Of every fighter and round: the targets and the positions each sum to the significant strikes, landed and
-- attempted; significant strikes are among all strikes; none lands more than he attempts; nobody controls for
-- longer than the round was fought, nor both together for longer than the bout.
WITH checked AS (
    SELECT
        bout_id,
        fighter_id,
        round,
        list_filter([
            CASE WHEN head_landed + body_landed + leg_landed <> sig_landed THEN 'targets landed' END,
            CASE WHEN head_attempted + body_attempted + leg_attempted <> sig_attempted THEN 'targets attempted' END,
            CASE WHEN distance_landed + clinch_landed + ground_landed <> sig_landed THEN 'positions landed' END,
            CASE
                WHEN
                    distance_attempted + clinch_attempted + ground_attempted <> sig_attempted
                    THEN 'positions attempted'
            END,
            CASE WHEN sig_landed > total_landed THEN 'significant of all landed' END,
            CASE WHEN sig_attempted > total_attempted THEN 'significant of all attempted' END,
            CASE WHEN
                sig_landed > sig_attempted OR total_landed > total_attempted OR td_landed > td_attempted
                OR head_landed > head_attempted OR body_landed > body_attempted OR leg_landed > leg_attempted
                OR distance_landed > distance_attempted OR clinch_landed > clinch_attempted
                OR ground_landed > ground_attempted THEN 'landed of attempted' END,
            CASE
                WHEN least(
                    knockdowns, sub_attempts, reversals, td_landed, head_landed, body_landed, leg_landed,
                    distance_landed, clinch_landed, ground_landed, total_landed, control_secs
                ) < 0 THEN 'below nought'
            END,
            CASE WHEN control_secs > round_secs THEN 'control of round' END
        ], LAMBDA what: what IS NOT NULL) AS broken
    FROM round_stats
)

SELECT
    bout_id,
    fighter_id,
    round,
    array_to_string(broken, ', ') AS what
FROM checked WHERE len(broken) > 0
UNION ALL
SELECT
    r.bout_id,
    NULL,
    NULL,
    'control of bout'
FROM round_stats r JOIN results USING (bout_id)
GROUP BY r.bout_id, total_secs
HAVING sum(r.control_secs) > total_secs
