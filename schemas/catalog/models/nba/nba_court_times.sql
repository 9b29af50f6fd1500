-- Intervals of players on court, in seconds since the game began: as a rotation records them, or as
-- substitutions let them be estimated. A period lasts twelve minutes, an overtime five.
WITH periods AS (
    SELECT DISTINCT
        game_id,
        period,
        CASE WHEN period <= 4 THEN (period - 1) * 720 ELSE 2880 + (period - 5) * 300 END AS begins,
        CASE WHEN period <= 4 THEN 720 ELSE 300 END AS lasts
    FROM nba_plays
),

toggles AS (
    SELECT
        game_id,
        team_id,
        period,
        player_id,
        'in' AS move,
        0 AS elapsed,
        -1 AS seq
    FROM nba_estimated_period_starters
    UNION ALL
    SELECT
        m.game_id,
        m.team_id,
        m.period,
        m.player_id,
        m.move,
        p.lasts - m.clock_secs,
        m.seq
    FROM nba_court_moves AS m JOIN periods AS p USING (game_id, period) WHERE m.move <> 'acts'
),

spans AS (
    SELECT
        t.*,
        p.begins,
        p.lasts,
        lead(t.elapsed) OVER (PARTITION BY t.game_id, t.period, t.player_id ORDER BY t.seq) AS until
    FROM toggles AS t JOIN periods AS p USING (game_id, period)
)

SELECT
    game_id,
    team_id,
    player_id,
    CAST(begins + elapsed AS DOUBLE) AS from_secs,
    CAST(begins + coalesce(until, lasts) AS DOUBLE) AS to_secs,
    'estimated' AS method
FROM spans WHERE move = 'in' AND coalesce(until, lasts) > elapsed
UNION ALL
SELECT
    game_id,
    team_id,
    player_id,
    in_tenths / 10,
    out_tenths / 10,
    'recorded'
FROM nba_stats_recorded_rotation
WHERE out_tenths > in_tenths
