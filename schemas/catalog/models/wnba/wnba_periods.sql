-- Points by quarter, of games of which a source has them for both teams; overtime is period 5 and later.
WITH lists AS (
    SELECT
        game_id,
        unnest(range(1, len(h) + 1)) AS period,
        unnest(h) AS home_points,
        unnest(a) AS away_points
    FROM (
        SELECT
            game_id,
            CAST(home_periods AS INTEGER[]) AS h,
            CAST(away_periods AS INTEGER[]) AS a
        FROM wnba_schedule_2026_games WHERE home_periods IS NOT NULL AND away_periods IS NOT NULL
    )
    WHERE len(h) = len(a)
),

long AS (
    UNPIVOT (SELECT
        game_id,
        team_abbr,
        q1,
        q2,
        q3,
        q4,
        ot1,
        ot2
    FROM wnba_games_quarters_quarters) ON q1,
    q2,
    q3,
    q4,
    ot1,
    ot2 INTO NAME period VALUE points
),

halves AS (
    UNPIVOT (
        SELECT
            game_id,
            home_q1,
            home_q2,
            home_q3,
            home_q4,
            away_q1,
            away_q2,
            away_q3,
            away_q4
        FROM wnba_wehoop_boxes_scores
    )
    ON home_q1, home_q2, home_q3, home_q4, away_q1, away_q2, away_q3, away_q4 INTO NAME period VALUE points
),

told AS (
    SELECT
        1 AS preference,
        game_id,
        CAST(period AS INTEGER) AS period,
        home_points,
        away_points
    FROM lists
    UNION ALL
    SELECT
        2,
        g.game_id,
        TRY_CAST(right(h.period, 1) AS INTEGER) + CASE WHEN starts_with(h.period, 'ot') THEN 4 ELSE 0 END,
        h.points,
        a.points
    FROM wnba_games AS g JOIN long AS h ON (h.game_id, h.team_abbr) = (g.game_id, g.home_abbr)
    JOIN long AS a ON (a.game_id, a.team_abbr, a.period) = (g.game_id, g.away_abbr, h.period)
    UNION ALL
    SELECT
        3,
        game_id,
        TRY_CAST(right(period, 1) AS INTEGER),
        max(points) FILTER (starts_with(period, 'home')),
        max(points) FILTER (starts_with(period, 'away'))
    FROM halves
    GROUP BY game_id, right(period, 1)
)

SELECT
    t.game_id,
    t.period,
    t.home_points,
    t.away_points,
    sum(t.home_points) OVER of_game = g.home_score AND sum(t.away_points) OVER of_game = g.away_score AS adds_up
FROM told AS t JOIN wnba_games AS g USING (game_id)
WHERE g.status = 'final' AND t.home_points IS NOT NULL AND t.away_points IS NOT NULL
WINDOW of_game AS (PARTITION BY t.game_id, t.preference)
QUALIFY t.preference = min(t.preference) OVER (PARTITION BY t.game_id)
