-- Checks on WNBA data. Every check has a row of its sum, `all`, which is there when nothing was found too,
-- and a row for each season in which it found something.
WITH checks (check_name) AS (
    VALUES ('athlete_in_both_boxes'), ('points_do_not_add_up'), ('final_without_score'), ('series_not_known')
),

listed AS (
    SELECT
        game_id,
        player_id
    FROM wnba_line_capture_boxes GROUP BY game_id, player_id HAVING count(*) > 1
    UNION
    SELECT
        game_id,
        player_id
    FROM wnba_wehoop_boxes_boxes GROUP BY game_id, player_id HAVING count(*) > 1
),

findings AS (
    SELECT
        'athlete_in_both_boxes' AS check_name,
        coalesce(g.season, 'not known') AS subject,
        l.game_id || ' ' || l.player_id || ': ' || coalesce(b.team_abbr, 'left out') AS what
    FROM listed AS l
    LEFT JOIN wnba_games AS g USING (game_id)
    LEFT JOIN wnba_box_players AS b USING (game_id, player_id)
    UNION ALL
    SELECT
        'points_do_not_add_up',
        season,
        game_id || ' ' || team_abbr
    FROM wnba_box_teams WHERE NOT adds_up
    UNION ALL
    SELECT
        'final_without_score',
        season,
        game_id
    FROM wnba_games
    WHERE status = 'final' AND home_score IS NULL
    UNION ALL
    SELECT
        'series_not_known',
        season,
        game_id
    FROM wnba_games
    WHERE phase = 'playoffs' AND round IS NOT NULL AND round NOT IN ('R1', 'SF', 'Final')
),

counted AS (
    SELECT
        check_name,
        subject,
        count(*) AS n,
        array_to_string(list(what ORDER BY what)[1:5], '; ') AS note
    FROM findings
    GROUP BY ALL
)

SELECT
    c.check_name AS "check",
    'all' AS subject,
    CASE WHEN count(n.n) = 0 THEN 'ok' ELSE 'found' END AS state,
    CAST(coalesce(sum(n.n), 0) AS INTEGER) AS n_rows,
    CAST(NULL AS VARCHAR) AS note
FROM checks AS c LEFT JOIN counted AS n ON n.check_name = c.check_name
GROUP BY c.check_name
UNION ALL
SELECT
    check_name,
    subject,
    'found',
    CAST(n AS INTEGER),
    note
FROM counted
