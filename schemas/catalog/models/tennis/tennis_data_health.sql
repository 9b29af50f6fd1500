-- Checks on tennis data. Every check has a row of its sum, `all`, which is there when nothing was found too,
-- and a row for each tour and season in which it found something.
WITH checks (check_name) AS (
    VALUES ('score_not_stated'),
    ('score_unreadable'),
    ('score_unfinished'),
    ('match_abandoned'),
    ('match_listed_twice'),
    ('statistics_contradict'), ('winner_has_fewer_sets')
),

stated AS (
    SELECT
        m.*,
        coalesce(len(list_filter(sets, LAMBDA s: s.winner > s.loser)), 0) AS sets_won,
        coalesce(len(list_filter(sets, LAMBDA s: s.winner < s.loser)), 0) AS sets_lost
    FROM tennis_matches AS m
),

findings AS (
    SELECT
        'score_not_stated' AS check_name,
        tour,
        season,
        match_id AS what
    FROM stated WHERE score IS NULL
    UNION ALL
    SELECT
        'score_unreadable',
        tour,
        season,
        match_id || ' ' || score
    FROM stated
    WHERE outcome IS NULL AND NOT is_counted AND score IS NOT NULL
    UNION ALL
    SELECT
        'score_unfinished',
        tour,
        season,
        match_id || ' ' || score
    FROM stated
    WHERE outcome IS NULL AND is_counted
    UNION ALL
    SELECT
        'match_abandoned',
        tour,
        season,
        match_id || ' ' || score
    FROM stated WHERE outcome = 'abandoned'
    UNION ALL
    SELECT
        'match_listed_twice',
        tour,
        season,
        match_id
    FROM tennis_stated_matches
    WHERE match_id NOT IN (SELECT match_id FROM tennis_matches)
    UNION ALL
    SELECT
        'statistics_contradict',
        m.tour,
        m.season,
        m.match_id
    FROM stated AS m
    JOIN tennis_match_facts AS f USING (match_id)
    WHERE NOT m.has_statistics AND f.winner_serve_points IS NOT NULL AND f.loser_serve_points IS NOT NULL
    UNION ALL
    SELECT
        'winner_has_fewer_sets',
        tour,
        season,
        match_id || ' ' || score
    FROM stated
    WHERE outcome = 'completed' AND sets_won < sets_lost
),

counted AS (
    SELECT
        check_name,
        tour || ' ' || season AS subject,
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
