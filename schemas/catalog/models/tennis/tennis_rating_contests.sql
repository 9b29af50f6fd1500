-- Matches as they move ratings, over all surfaces and by surface. Those of one step are rated from the ratings
-- before it: the steps go by the latest day on which a match can have been played, then by week and round; of a
-- round robin each match is a step, and where a player has two matches in one step each match of it is. Walkovers
-- are left out. Beside it whether a match was more than 90 days before the newest event of the tour, and before
-- its week.
WITH newest AS (
    SELECT
        tour,
        max(event_week) AS newest_week
    FROM tennis_matches GROUP BY tour
),

placed AS (
    SELECT
        m.*,
        m.last_day < newest_week - 90 AS is_then,
        m.last_day < date_trunc('week', newest_week) AS is_before,
        CASE
            WHEN
                round = 'RR'
                THEN row_number() OVER (PARTITION BY tour, event_ref, round ORDER BY match_number, match_id)
            ELSE 1
        END AS turn
    FROM tennis_matches AS m JOIN newest USING (tour) WHERE is_counted
),

sides AS (
    SELECT
        last_day,
        event_week,
        round_place,
        turn,
        winner_slug AS slug
    FROM placed
    UNION ALL
    SELECT
        last_day,
        event_week,
        round_place,
        turn,
        loser_slug
    FROM placed
),

crowded AS (
    SELECT DISTINCT
        last_day,
        event_week,
        round_place,
        turn
    FROM (
        SELECT
            last_day,
            event_week,
            round_place,
            turn,
            slug
        FROM sides GROUP BY ALL HAVING count(*) > 1
    )
),

ordered AS (
    SELECT
        p.*,
        CASE
            WHEN c.turn IS NULL THEN 1
            ELSE row_number() OVER (PARTITION BY p.last_day, p.event_week, p.round_place, p.turn ORDER BY p.match_id)
        END
            AS own_turn
    FROM placed AS p LEFT JOIN crowded AS c USING (last_day, event_week, round_place, turn)
),

stepped AS (
    SELECT
        *,
        dense_rank() OVER (ORDER BY last_day, event_week, round_place, turn, own_turn) AS step
    FROM ordered
)

SELECT
    step,
    match_id AS contest,
    tour || '_all' AS pool,
    last_day AS played_on,
    season,
    winner_slug AS first,
    loser_slug AS second,
    winner_name AS first_name,
    loser_name AS second_name,
    1.0 AS score,
    NULL AS margin,
    true AS is_neutral,
    is_then,
    is_before
FROM stepped
UNION ALL
SELECT
    step,
    match_id AS contest,
    tour || '_' || surface AS pool,
    last_day AS played_on,
    season,
    winner_slug AS first,
    loser_slug AS second,
    winner_name AS first_name,
    loser_name AS second_name,
    1.0 AS score,
    NULL AS margin,
    true AS is_neutral,
    is_then,
    is_before
FROM stepped
WHERE surface IN ('hard', 'clay', 'grass')
