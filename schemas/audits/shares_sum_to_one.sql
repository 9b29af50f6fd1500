-- Shares of one group sum to one, the plain ones and the shrunk ones: targets, positions, and ways of winning
-- with the third, unpublished one.
WITH shares AS (
    SELECT
        fighter_id,
        version,
        v.metric,
        v.value,
        v.raw_value,
        CASE
            WHEN v.metric IN ('head_share', 'body_share', 'leg_share') THEN 'targets'
            WHEN v.metric IN ('distance_share', 'clinch_share', 'ground_share') THEN 'positions'
            ELSE 'ways_of_winning'
        END AS shared
    FROM version_metrics v JOIN metrics m USING (metric)
    WHERE m.estimator = 'DM'
),

sums AS (
    SELECT
        fighter_id,
        version,
        shared,
        count(*) AS shares,
        count(value) AS valued,
        sum(value) AS value,
        count(raw_value) AS plain,
        sum(raw_value) AS raw_value
    FROM shares GROUP BY ALL
)

SELECT * FROM sums
WHERE
    valued NOT IN (0, shares) OR plain NOT IN (0, shares)
    OR (shared <> 'ways_of_winning' AND (shares <> 3 OR abs(value - 1) > 1e-9 OR abs(raw_value - 1) > 1e-9))
    OR (shared = 'ways_of_winning' AND (shares <> 2 OR value > 1 + 1e-9 OR raw_value > 1 + 1e-9))
