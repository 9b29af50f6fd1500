-- Matches of slams whose points are captured, with sets and winner walked from the points, since no list
-- states a winner. A match whose last set has no legal end has no winner: it was not finished, or its end is
-- not captured.
WITH counted AS (
    SELECT
        match_ref,
        set_number,
        TRY_CAST(point_text AS INTEGER) AS point_number,
        games_1,
        games_2,
        point_winner,
        game_number
    FROM tennis_slam_points_points WHERE regexp_full_match(point_text, '\d+')
),

sets AS (
    SELECT
        match_ref,
        set_number,
        max_by(games_1, point_number) AS games_1,
        max_by(games_2, point_number) AS games_2,
        count(*) FILTER (point_winner = 1) AS points_1,
        count(*) FILTER (point_winner = 2) AS points_2,
        count(*) FILTER (point_winner = 1 AND game_number = 13) AS tie_1,
        count(*) FILTER (point_winner = 2 AND game_number = 13) AS tie_2
    FROM counted GROUP BY ALL
),

judged AS (
    SELECT
        s.*,
        greatest(games_1, games_2) AS most,
        least(games_1, games_2) AS least,
        set_number = CASE WHEN m.partner_1 IS NULL AND m.match_ref LIKE '%-1___' THEN 5 ELSE 3 END AS is_last,
        CASE WHEN m.partner_1 IS NULL AND m.match_ref LIKE '%-1___' THEN 3 ELSE 2 END AS needed
    FROM sets AS s JOIN tennis_slam_points_matches AS m USING (match_ref)
),

legal AS (
    SELECT
        *,
        is_last AND most = 1 AND least = 0 AS is_match_tie_break,
        (most = 6 AND least <= 4) OR (most = 7 AND least = 5)
        OR (most = 7 AND least = 6 AND greatest(tie_1, tie_2) >= 7 AND abs(tie_1 - tie_2) >= 2)
        OR (is_last AND most >= 8 AND most - least = 2)
        OR (
            is_last AND most = 1 AND least = 0 AND greatest(points_1, points_2) >= 10
            AND abs(points_1 - points_2) >= 2
        ) AS is_legal
    FROM judged
),

walked AS (
    SELECT
        match_ref,
        count(*) FILTER (is_legal AND games_1 > games_2) AS sets_1,
        count(*) FILTER (is_legal AND games_2 > games_1) AS sets_2,
        bool_and(is_legal) AS is_legal,
        min(needed) AS needed,
        list({
            'set': set_number, 'games_1': CASE WHEN is_match_tie_break THEN points_1 ELSE games_1 END,
            'games_2': CASE WHEN is_match_tie_break THEN points_2 ELSE games_2 END,
            'tie_break_1': CASE WHEN most = 7 AND least = 6 THEN tie_1 END,
            'tie_break_2': CASE WHEN most = 7 AND least = 6 THEN tie_2 END,
            'is_match_tie_break': is_match_tie_break, 'is_legal': is_legal
        } ORDER BY set_number) AS sets
    FROM legal GROUP BY match_ref
)

SELECT
    m.match_ref AS points_id,
    coalesce(k.match_id, m.match_ref) AS match_id,
    CAST(m.year AS VARCHAR) AS season,
    m.slam,
    m.partner_1 IS NOT NULL AS is_doubles,
    concat_ws(' / ', m.player_1, m.partner_1) AS side_1,
    concat_ws(' / ', m.player_2, m.partner_2) AS side_2,
    w.sets,
    CASE
        WHEN w.is_legal AND w.sets_1 = w.needed AND w.sets_2 < w.needed THEN 1
        WHEN w.is_legal AND w.sets_2 = w.needed AND w.sets_1 < w.needed THEN 2
    END AS match_winner_side
FROM walked AS w JOIN tennis_slam_points_matches AS m USING (match_ref)
LEFT JOIN
    (SELECT
        match_ref,
        min(match_id) AS match_id
    FROM tennis_point_links GROUP BY match_ref) AS k
    USING (match_ref)
