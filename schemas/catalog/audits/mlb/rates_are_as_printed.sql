-- Rates of lines that are counted from plays are rounded half up, and OPS is the sum of the two that are
-- shown.
WITH at_bat AS (
    SELECT
        player_id,
        season,
        CAST(batting ->> 'hits' AS BIGINT) AS hits,
        CAST(batting ->> 'at_bats' AS BIGINT) AS at_bats,
        round(1000 * CAST(batting ->> 'avg' AS DOUBLE)) AS avg,
        round(1000 * CAST(batting ->> 'obp' AS DOUBLE)) AS obp,
        round(1000 * CAST(batting ->> 'slg' AS DOUBLE)) AS slg,
        round(1000 * CAST(batting ->> 'ops' AS DOUBLE)) AS ops
    FROM mlb_player_seasons WHERE is_derived AND batting IS NOT NULL
),

pitched AS (
    SELECT
        player_id,
        season,
        27 * CAST(pitching ->> 'earned_runs' AS BIGINT) AS earned_e27,
        CAST(pitching ->> 'outs' AS BIGINT) AS outs,
        3 * (CAST(pitching ->> 'walks' AS BIGINT) + CAST(pitching ->> 'hits' AS BIGINT)) AS reached_e3,
        round(100 * CAST(pitching ->> 'era' AS DOUBLE)) AS era,
        round(100 * CAST(pitching ->> 'whip' AS DOUBLE)) AS whip
    FROM mlb_player_seasons WHERE is_derived AND pitching IS NOT NULL
)

SELECT
    player_id,
    season,
    'avg' AS rate
FROM at_bat
WHERE NOT (2000 * hits - 2 * at_bats * avg >= -at_bats AND 2000 * hits - 2 * at_bats * avg < at_bats)
UNION ALL
SELECT
    player_id,
    season,
    'ops'
FROM at_bat WHERE ops <> obp + slg
UNION ALL
SELECT
    player_id,
    season,
    'era'
FROM pitched
WHERE NOT (200 * earned_e27 - 2 * outs * era >= -outs AND 200 * earned_e27 - 2 * outs * era < outs)
UNION ALL
SELECT
    player_id,
    season,
    'whip'
FROM pitched
WHERE NOT (200 * reached_e3 - 2 * outs * whip >= -outs AND 200 * reached_e3 - 2 * outs * whip < outs)
