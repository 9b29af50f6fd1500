-- Elo ratings after the newest match, over all surfaces and by surface: 1500 at first, K 250 / (n + 5)^0.4
-- with n earlier matches. Walkovers are left out. The walk goes by the latest day on which a match can have
-- been played, then by week and round; of a round robin each match is a step, and where a player has two
-- matches in one step each match of it is. Beside them the rating as of 90 days before the newest event of
-- the tour, and as of its week.
WITH RECURSIVE newest AS (
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
),

steps AS MATERIALIZED (
    SELECT
        step,
        is_then,
        is_before,
        winner_slug || '/all' AS winner_key,
        loser_slug || '/all' AS loser_key
    FROM stepped
    UNION ALL
    SELECT
        step,
        is_then,
        is_before,
        winner_slug || '/' || surface,
        loser_slug || '/' || surface
    FROM stepped
    WHERE surface IN ('hard', 'clay', 'grass')
),

rated (subject_key, step, n, elo, then_n, then_elo, before_n, before_elo)
USING KEY (subject_key) AS (
    SELECT
        '',
        CAST(0 AS BIGINT),
        0,
        CAST(0 AS DOUBLE),
        0,
        CAST(NULL AS DOUBLE),
        0,
        CAST(NULL AS DOUBLE)
    UNION
    (
        WITH now AS (SELECT max(step) + 1 AS step FROM rated),

        played AS (
            SELECT
                s.step,
                s.is_then,
                s.is_before,
                s.winner_key,
                s.loser_key,
                coalesce(w.n, 0) AS wn,
                coalesce(l.n, 0) AS ln,
                coalesce(w.elo, 1500) AS we,
                coalesce(l.elo, 1500) AS le,
                coalesce(w.then_n, 0) AS wtn,
                w.then_elo AS wte,
                coalesce(l.then_n, 0) AS ltn,
                l.then_elo AS lte,
                coalesce(w.before_n, 0) AS wbn,
                w.before_elo AS wbe,
                coalesce(l.before_n, 0) AS lbn,
                l.before_elo AS lbe
            FROM steps AS s JOIN now ON s.step = now.step
            LEFT JOIN recurring.rated AS w ON w.subject_key = s.winner_key
            LEFT JOIN recurring.rated AS l ON l.subject_key = s.loser_key
        ),

        surprised AS (
            SELECT
                *,
                1 / (1 + pow(10, (we - le) / 400)) AS surprise
            FROM played
        ),

        moved AS (
            SELECT
                *,
                we + 250 / pow(wn + 5, 0.4) * surprise AS we2,
                le - 250 / pow(ln + 5, 0.4) * surprise AS le2
            FROM surprised
        )

        SELECT
            winner_key,
            step,
            wn + 1,
            we2,
            CASE WHEN is_then THEN wn + 1 ELSE wtn END,
            CASE WHEN is_then THEN we2 ELSE wte END,
            CASE WHEN is_before THEN wn + 1 ELSE wbn END,
            CASE WHEN is_before THEN we2 ELSE wbe END
        FROM moved
        UNION ALL
        SELECT
            loser_key,
            step,
            ln + 1,
            le2,
            CASE WHEN is_then THEN ln + 1 ELSE ltn END,
            CASE WHEN is_then THEN le2 ELSE lte END,
            CASE WHEN is_before THEN ln + 1 ELSE lbn END,
            CASE WHEN is_before THEN le2 ELSE lbe END
        FROM moved
    )
)

SELECT
    y.player_slug,
    split_part(r.subject_key, '/', 2) AS surface,
    y.player_id,
    y.other_id,
    y.tour,
    y.name AS player_name,
    CAST(r.n AS INTEGER) AS matches,
    round(r.elo, 1) AS elo,
    round(r.then_elo, 1) AS elo_90_days_ago,
    round(r.elo - r.then_elo, 1) AS gain,
    CAST(r.n - r.then_n AS INTEGER) AS recent_matches,
    round(r.before_elo, 1) AS elo_before_newest_week
FROM rated AS r JOIN tennis_players AS y ON y.player_slug = split_part(r.subject_key, '/', 1)
WHERE r.subject_key <> ''
