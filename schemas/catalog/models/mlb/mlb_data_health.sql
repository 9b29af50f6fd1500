-- Checks on MLB data. Every check has a row of its sum, `all`, which is there when nothing was found too, and
-- a row for each season in which it found something.
WITH checks (check_name) AS (
    VALUES ('game_number_unreadable'), ('game_not_whole'), ('runs_of_pitchers_do_not_add_up'), ('no_type_of_pitch')
),

findings AS (
    SELECT
        'game_number_unreadable' AS check_name,
        CAST(year(league_date) AS VARCHAR) AS subject,
        game_ref || ' ' || game_number AS what
    FROM mlb_retrosheet_games WHERE NOT regexp_full_match(game_number, '[0-9]')
    UNION ALL
    SELECT
        'game_not_whole',
        CAST(year(league_date) AS VARCHAR),
        game_ref || ': ' || coalesce(partial_reason, '')
    FROM mlb_retrosheet_games WHERE NOT is_whole
    UNION ALL
    SELECT
        'runs_of_pitchers_do_not_add_up',
        g.season,
        g.game_id
    FROM mlb_games AS g
    JOIN mlb_pitching_lines AS p USING (game_id)
    WHERE p.is_walked AND g.home_score IS NOT NULL GROUP BY g.season, g.game_id, g.home_score, g.away_score
    HAVING sum(p.runs) FILTER (NOT p.is_home) <> g.home_score OR sum(p.runs) FILTER (p.is_home) <> g.away_score
    UNION ALL
    SELECT
        'no_type_of_pitch',
        season,
        game_id || ' ' || pitch_type
    FROM mlb_statcast_pitches
    WHERE NOT regexp_full_match(pitch_type, '[A-Z]{2}')
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
