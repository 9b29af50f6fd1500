-- Forwards by three and defenders by two, and how long they were on the ice together, of games with a report
-- of shifts.
WITH pairs AS (
    SELECT
        a.game_id,
        a.team_abbr,
        a.period,
        a.position = 'D' AS is_defence,
        a.player_id AS p1,
        a.player_name AS n1,
        b.player_id AS p2,
        b.player_name AS n2,
        greatest(a.starts_secs, b.starts_secs) AS begins,
        least(a.ends_secs, b.ends_secs) AS ends
    FROM nhl_shifts AS a JOIN nhl_shifts AS b
        ON
            (a.game_id, a.team_abbr, a.period) = (b.game_id, b.team_abbr, b.period)
            AND (a.position = 'D') = (b.position = 'D') AND a.player_id < b.player_id
            AND a.starts_secs < b.ends_secs AND b.starts_secs < a.ends_secs
    WHERE a.position <> 'G' AND b.position <> 'G'
),

trios AS (
    SELECT
        t.*,
        c.player_id AS p3,
        c.player_name AS n3,
        greatest(t.begins, c.starts_secs) AS begins3,
        least(t.ends, c.ends_secs) AS ends3
    FROM pairs AS t JOIN nhl_shifts AS c
        ON
            (t.game_id, t.team_abbr, t.period) = (c.game_id, c.team_abbr, c.period)
            AND t.p2 < c.player_id AND t.begins < c.ends_secs AND c.starts_secs < t.ends
    WHERE NOT t.is_defence AND c.position NOT IN ('D', 'G')
),

together AS (
    SELECT
        game_id,
        team_abbr,
        'defence_pair' AS kind,
        p1,
        n1,
        p2,
        n2,
        NULL AS p3,
        NULL AS n3,
        ends - begins AS secs
    FROM pairs WHERE is_defence
    UNION ALL
    SELECT
        game_id,
        team_abbr,
        'forward_trio',
        p1,
        n1,
        p2,
        n2,
        p3,
        n3,
        ends3 - begins3
    FROM trios
)

SELECT
    game_id,
    team_abbr,
    kind,
    row_number() OVER (PARTITION BY game_id, team_abbr, kind ORDER BY sum(secs) DESC, p1, p2, p3) AS rank,
    p1 AS player1_id,
    n1 AS player1_name,
    p2 AS player2_id,
    n2 AS player2_name,
    p3 AS player3_id,
    n3 AS player3_name,
    CAST(sum(secs) AS INTEGER) AS toi_secs
FROM together GROUP BY game_id, team_abbr, kind, p1, n1, p2, n2, p3, n3 HAVING sum(secs) >= 60
