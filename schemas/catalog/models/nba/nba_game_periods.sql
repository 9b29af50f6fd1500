-- Points by period, where a summary or a scoreboard states them; overtime is periods 5 and later. A period
-- that was not played has no row.
WITH summed AS (
    UNPIVOT (
        SELECT
            game_id,
            team_id,
            q1,
            q2,
            q3,
            q4,
            ot1,
            ot2,
            ot3,
            ot4,
            ot5,
            ot6,
            ot7,
            ot8,
            ot9,
            ot10
        FROM nba_stats_recorded_line_scores
    )
    ON q1, q2, q3, q4, ot1, ot2, ot3, ot4, ot5, ot6, ot7, ot8, ot9, ot10 INTO NAME period VALUE points
),

told AS (
    SELECT
        1 AS preference,
        game_id,
        team_id,
        TRY_CAST(regexp_extract(period, '[0-9]+$') AS INTEGER)
        + CASE WHEN starts_with(period, 'ot') THEN 4 ELSE 0 END AS period,
        points
    FROM summed
    UNION ALL
    SELECT
        2,
        game_id,
        team_id,
        period,
        points
    FROM nba_stats_recorded_scoreboard_periods WHERE points IS NOT NULL
),

chosen AS (
    SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY game_id, team_id, period ORDER BY preference) = 1
)

SELECT
    g.game_id,
    h.period,
    h.points AS home_points,
    a.points AS away_points
FROM nba_games AS g
JOIN chosen AS h ON h.game_id = g.game_id AND h.team_id = g.home_id
JOIN chosen AS a ON a.game_id = g.game_id AND a.team_id = g.away_id AND a.period = h.period
WHERE g.status = 'final' AND (h.period <= 4 OR h.points > 0 OR a.points > 0)
