-- Lines at bat by game: walked from the plays of Retrosheet, or as the league's feed states them.
WITH roles AS (
    SELECT
        position,
        role
    FROM (
        VALUES (1, 'P'), (2, 'C'), (3, '1B'), (4, '2B'), (5, '3B'), (6, 'SS'), (7, 'LF'), (8, 'CF'),
        (9, 'RF'), (10, 'DH'), (11, 'PH'), (12, 'PR')
    ) AS v (position, role)
),

spots AS (
    SELECT
        b.game_ref,
        b.side,
        b.player_ref,
        u.ord,
        TRY_CAST(u.position AS INTEGER) AS position
    FROM mlb_retrosheet_batting AS b,
        unnest(string_split(trim(b.positions, '[]'), ',')) WITH ORDINALITY AS u (position, ord)
),

places AS (
    SELECT
        game_ref,
        side,
        player_ref,
        string_agg(role, '-' ORDER BY ord) AS positions
    FROM spots
    JOIN roles USING (position)
    GROUP BY game_ref, side, player_ref
)

SELECT
    b.game_ref AS game_id,
    CASE b.side WHEN 1 THEN g.home_id ELSE g.away_id END AS team_id,
    r.player_id,
    r.name AS player_name,
    b.side = 1 AS is_home,
    nullif(b.slot, 0) AS slot,
    s.positions,
    b.is_starter,
    b.plate_appearances,
    b.at_bats,
    b.runs,
    b.hits,
    b.doubles,
    b.triples,
    b.home_runs,
    b.driven_in,
    b.walks,
    b.intentional_walks,
    b.strikeouts,
    b.hit_by_pitch,
    b.sacrifice_bunts,
    b.sacrifice_flies,
    b.double_play_grounders,
    b.stolen_bases,
    b.caught_stealing,
    true AS is_walked
FROM mlb_retrosheet_batting AS b JOIN mlb_source_games AS g ON (g.game_id, g.source) = (b.game_ref, 'retrosheet')
JOIN mlb_player_refs AS r ON r.retro_id = b.player_ref
LEFT JOIN places AS s USING (game_ref, side, player_ref)
WHERE NOT g.is_partial AND (b.plate_appearances > 0 OR b.slot > 0)
UNION ALL
SELECT
    p.game_ref,
    CASE p.side WHEN 'home' THEN g.home_ref ELSE g.away_ref END,
    p.player_ref,
    p.player_name,
    p.side = 'home',
    p.batting_order // 100,
    s.positions,
    p.batting_order % 100 = 0,
    p.bat_plate_appearances,
    p.bat_at_bats,
    p.bat_runs,
    p.bat_hits,
    p.bat_doubles,
    p.bat_triples,
    p.bat_home_runs,
    p.bat_driven_in,
    p.bat_walks,
    p.bat_intentional_walks,
    p.bat_strikeouts,
    p.bat_hit_by_pitch,
    p.bat_sacrifice_bunts,
    p.bat_sacrifice_flies,
    p.bat_double_play_grounders,
    p.bat_stolen_bases,
    p.bat_caught_stealing,
    false
FROM mlb_statsapi_recorded_feed_players AS p JOIN mlb_statsapi_recorded_feed_games AS g USING (game_ref)
LEFT JOIN (
    SELECT
        game_ref,
        player_ref,
        string_agg(position, '-' ORDER BY line) AS positions
    FROM mlb_statsapi_recorded_feed_positions GROUP BY game_ref, player_ref
) AS s
    USING (game_ref, player_ref)
WHERE p.batting_order IS NOT NULL AND p.bat_plate_appearances IS NOT NULL
