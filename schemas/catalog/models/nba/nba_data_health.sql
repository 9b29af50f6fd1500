-- Checks on NBA data. Every check has a row of its sum, `all`, which is there when nothing was found too, and
-- a row for each season in which it found something.
WITH checks (check_name) AS (
    VALUES ('no_game_id_of_the_league'), ('home_team_not_known'), ('final_without_score')
),

findings AS (
    SELECT DISTINCT
        'no_game_id_of_the_league' AS check_name,
        CAST(NULL AS VARCHAR) AS subject,
        game_id AS what
    FROM nba_source_games
    WHERE NOT regexp_full_match(game_id, '00[1-6][0-9]{7}')
    UNION ALL
    SELECT
        'home_team_not_known',
        season,
        game_id
    FROM nba_games
    WHERE home_id IS NULL OR away_id IS NULL OR is_neutral
    UNION ALL
    SELECT
        'final_without_score',
        season,
        game_id
    FROM nba_games WHERE status = 'final' AND home_score IS NULL
),

counted AS (
    SELECT
        check_name,
        coalesce(subject, 'not known') AS subject,
        count(*) AS n,
        array_to_string(list(what ORDER BY what)[1:5], '; ') AS note
    FROM findings GROUP BY ALL
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
