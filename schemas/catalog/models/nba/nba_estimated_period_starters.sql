-- Who was on court when a period began, as plays let it be estimated: in the first the starters of the box,
-- later who acts or leaves before he comes in, filled up to five from those who ended the period before. A
-- substitution names who leaves by his id and who comes in by name.
WITH box AS (
    SELECT
        game_id,
        team_id,
        player_id,
        is_starter,
        regexp_replace(player_name, '^[^ ]+ ', '') AS last_name
    FROM nba_player_lines
    WHERE has_played
),

moves AS (
    SELECT * FROM nba_court_moves
),

firsts AS (
    SELECT
        game_id,
        team_id,
        period,
        player_id,
        arg_min(move, seq) AS first_move,
        min(seq) AS first_seq,
        arg_max(move, seq) AS last_move,
        max(seq) AS last_seq
    FROM moves GROUP BY ALL
),

acting AS (
    SELECT
        game_id,
        team_id,
        period,
        player_id,
        first_seq
    FROM firsts WHERE first_move <> 'in' AND period > 1
    QUALIFY row_number() OVER (PARTITION BY game_id, team_id, period ORDER BY first_seq) <= 5
),

counts AS (
    SELECT
        game_id,
        team_id,
        period,
        count(*) AS n
    FROM acting GROUP BY ALL
),

fillers AS (
    SELECT
        e.game_id,
        e.team_id,
        e.period + 1 AS period,
        e.player_id,
        row_number() OVER (PARTITION BY e.game_id, e.team_id, e.period ORDER BY e.last_seq DESC) AS nth
    FROM firsts AS e
    LEFT JOIN firsts AS later ON (later.game_id, later.player_id, later.period) = (e.game_id, e.player_id, e.period + 1)
    WHERE e.last_move <> 'out' AND later.player_id IS NULL
)

SELECT
    game_id,
    team_id,
    1 AS period,
    player_id
FROM box WHERE is_starter
UNION ALL
SELECT
    game_id,
    team_id,
    period,
    player_id
FROM acting
UNION ALL
SELECT
    f.game_id,
    f.team_id,
    f.period,
    f.player_id
FROM fillers AS f
JOIN counts AS c USING (game_id, team_id, period)
WHERE f.nth <= 5 - c.n
