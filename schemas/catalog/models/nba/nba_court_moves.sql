-- What players do while they are on court, and when they come and go. Fouls from the bench are no sign of
-- being on court.
WITH box AS (
    SELECT
        game_id,
        team_id,
        player_id,
        regexp_replace(player_name, '^[^ ]+ ', '') AS last_name
    FROM nba_player_lines
    WHERE has_played
),

subs AS (
    SELECT
        p.game_id,
        p.team_id,
        p.period,
        p.seq,
        p.clock_secs,
        p.player_id,
        regexp_extract(p.text, '^SUB: (.+) FOR ', 1) AS coming
    FROM nba_plays AS p WHERE p.category = 'substitution'
)

SELECT
    game_id,
    team_id,
    period,
    seq,
    clock_secs,
    player_id,
    'out' AS move
FROM subs
UNION ALL
SELECT
    s.game_id,
    s.team_id,
    s.period,
    s.seq,
    s.clock_secs,
    b.player_id,
    'in'
FROM subs AS s
JOIN
    box AS b
    ON (b.game_id, b.team_id) = (s.game_id, s.team_id) AND strip_accents(b.last_name) = strip_accents(s.coming)
UNION ALL
SELECT
    p.game_id,
    p.team_id,
    p.period,
    p.seq,
    p.clock_secs,
    p.player_id,
    'acts'
FROM nba_plays AS p
JOIN box AS b USING (game_id, team_id, player_id)
WHERE
    p.category IN ('made shot', 'missed shot', 'free throw', 'rebound', 'turnover', 'jump ball', 'violation')
    OR p.category = 'foul' AND p.subcategory NOT ILIKE '%technical%'
