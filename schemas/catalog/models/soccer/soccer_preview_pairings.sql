-- What a team makes against what the other allows, before their match. `z` is the gap by the standard
-- deviation of what is not known of both values. A gap is a difference of the past and no forecast.
WITH known AS (
    SELECT
        p.match_id,
        p.source_match_id,
        p.side,
        p.metric,
        p.label,
        p.value,
        p.pool_mean,
        p.confidence,
        m.variance * (1 - p.weight) AS variance
    FROM soccer_preview_dna AS p
    JOIN soccer_team_dna_metrics AS m ON m.pool = 'all' AND m.metric = p.metric
    WHERE p.status = 'ok'
)

SELECT
    a.match_id,
    a.source_match_id,
    a.side AS attacking_side,
    a.metric,
    a.label,
    a.value AS attack,
    a.confidence AS attack_confidence,
    d.value AS defence,
    d.confidence AS defence_confidence,
    a.pool_mean AS league_mean,
    a.value - d.value AS gap,
    (a.value - d.value) / sqrt(a.variance + d.variance) AS z
FROM known AS a
JOIN known AS d ON d.match_id = a.match_id AND d.side <> a.side AND d.metric = a.metric || '_against'
