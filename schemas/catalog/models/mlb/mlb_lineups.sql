-- Starting line-ups: of played games as their records state them, else as captured before or after.
WITH roles AS (
    SELECT
        position,
        role
    FROM (
        VALUES (1, 'P'), (2, 'C'), (3, '1B'), (4, '2B'), (5, '3B'), (6, 'SS'), (7, 'LF'), (8, 'CF'),
        (9, 'RF'), (10, 'DH'), (11, 'PH'), (12, 'PR')
    ) AS v (position, role)
),

told AS (
    SELECT
        a.game_ref AS game_id,
        CASE a.side WHEN 1 THEN g.home_id ELSE g.away_id END AS team_id,
        a.slot,
        r.player_id,
        r.name AS player_name,
        p.role AS position,
        'confirmed' AS status,
        CAST(NULL AS TIMESTAMP) AS captured_at
    FROM mlb_retrosheet_appearances AS a
    JOIN mlb_source_games AS g ON (g.game_id, g.source) = (a.game_ref, 'retrosheet')
    JOIN mlb_player_refs AS r ON r.retro_id = a.player_ref JOIN roles AS p USING (position) WHERE a.is_start
    UNION ALL
    SELECT
        b.game_ref,
        g.home_id,
        b.place // 100,
        b.player_ref,
        NULL,
        NULL,
        'captured',
        b.told_at
    FROM mlb_lineups_2026_home_batters AS b JOIN mlb_games AS g ON g.game_id = b.game_ref WHERE b.place % 100 = 0
    UNION ALL
    SELECT
        b.game_ref,
        g.away_id,
        b.place // 100,
        b.player_ref,
        NULL,
        NULL,
        'captured',
        b.told_at
    FROM mlb_lineups_2026_away_batters AS b JOIN mlb_games AS g ON g.game_id = b.game_ref WHERE b.place % 100 = 0
    UNION ALL
    SELECT
        b.game_id,
        b.team_id,
        b.slot,
        b.player_id,
        b.player_name,
        split_part(b.positions, '-', 1),
        'confirmed',
        NULL
    FROM mlb_batting_lines AS b WHERE NOT b.is_walked AND b.is_starter
)

SELECT
    t.game_id,
    g.league_date,
    t.team_id,
    CASE t.team_id WHEN g.home_id THEN g.home_abbr ELSE g.away_abbr END AS team_abbr,
    t.slot,
    t.player_id,
    coalesce(t.player_name, n.player_name) AS player_name,
    t.position,
    t.status,
    t.captured_at
FROM told AS t JOIN mlb_games AS g USING (game_id) LEFT JOIN mlb_players AS n USING (player_id)
