-- Plays of games in order, in one form. Of Retrosheet the code of the play stands beside what a walk makes of
-- it; entries that tell of a substitution alone are left out.
WITH moves AS (
    SELECT
        m.game_ref AS game_id,
        m.seq,
        r.player_id,
        r.name AS player_name,
        m.from_base,
        m.to_base,
        3 - m.from_base AS place
    FROM mlb_retrosheet_movements AS m JOIN mlb_player_refs AS r ON r.retro_id = m.player_ref
    UNION ALL
    SELECT
        game_ref,
        seq + 1,
        player_ref,
        player_name,
        coalesce(TRY_CAST(left(from_base, 1) AS INTEGER), 0),
        CASE WHEN to_base = 'score' THEN 4 ELSE TRY_CAST(left(to_base, 1) AS INTEGER) END,
        line
    FROM mlb_statsapi_recorded_feed_runners
),

moved AS (
    SELECT
        game_id,
        seq,
        '[' || string_agg(
            '{"player_id":"' || player_id || '","player_name":"'
            || replace(replace(coalesce(player_name, ''), '\', '\\'), '"', '\"') || '","from":' || from_base
            || ',"to":' || coalesce(CAST(to_base AS VARCHAR), 'null') || '}', ',' ORDER BY place
        ) || ']' AS runners
    FROM moves GROUP BY game_id, seq
),

pitched AS (
    SELECT
        game_ref,
        seq,
        string_agg(call, '' ORDER BY line) AS pitches
    FROM mlb_statsapi_recorded_feed_pitches
    WHERE is_pitch AND call IS NOT NULL GROUP BY game_ref, seq
),

stated AS (
    SELECT
        *,
        lag(outs_after, 1, 0) OVER (PARTITION BY game_ref, inning, is_top ORDER BY seq) AS outs_before,
        home_score + away_score - lag(home_score + away_score, 1, 0) OVER (PARTITION BY game_ref ORDER BY seq) AS runs
    FROM mlb_statsapi_recorded_feed_plays
),

plays AS (
    SELECT
        p.game_ref AS game_id,
        p.seq,
        p.inning,
        CASE WHEN p.side = g.first_side THEN 'top' ELSE 'bottom' END AS half,
        b.player_id AS batter_id,
        b.name AS batter_name,
        t.player_id AS pitcher_id,
        t.name AS pitcher_name,
        TRY_CAST(substr(p.count, 1, 1) AS INTEGER) AS balls,
        TRY_CAST(substr(p.count, 2, 1) AS INTEGER) AS strikes,
        p.pitches,
        p.event,
        p.code,
        p.outs_before,
        p.outs,
        f.player_id AS on_first_id,
        s.player_id AS on_second_id,
        d.player_id AS on_third_id,
        p.runs,
        p.driven_in,
        p.comment AS text,
        p.home_runs AS home_score,
        p.visitor_runs AS away_score
    FROM mlb_retrosheet_plays AS p JOIN mlb_retrosheet_games AS g USING (game_ref)
    LEFT JOIN mlb_player_refs AS b ON b.retro_id = p.batter_ref
    LEFT JOIN mlb_player_refs AS t ON t.retro_id = p.pitcher_ref
    LEFT JOIN mlb_player_refs AS f ON f.retro_id = p.on_first LEFT JOIN mlb_player_refs AS s ON s.retro_id = p.on_second
    LEFT JOIN mlb_player_refs AS d ON d.retro_id = p.on_third
    WHERE p.code <> 'NP' OR p.comment IS NOT NULL
    UNION ALL
    SELECT
        p.game_ref,
        p.seq + 1,
        p.inning,
        CASE WHEN p.is_top THEN 'top' ELSE 'bottom' END,
        p.batter_ref,
        p.batter_name,
        p.pitcher_ref,
        p.pitcher_name,
        p.balls,
        p.strikes,
        t.pitches,
        p.event,
        NULL,
        p.outs_before,
        p.outs_after - p.outs_before,
        NULL,
        NULL,
        NULL,
        p.runs,
        p.driven_in,
        p.text,
        p.home_score,
        p.away_score
    FROM stated AS p LEFT JOIN pitched AS t USING (game_ref, seq)
)

SELECT
    p.game_id,
    p.seq,
    p.inning,
    p.half,
    p.batter_id,
    p.batter_name,
    p.pitcher_id,
    p.pitcher_name,
    p.balls,
    p.strikes,
    p.pitches,
    p.event,
    p.code,
    p.outs_before,
    p.outs,
    p.on_first_id,
    p.on_second_id,
    p.on_third_id,
    p.runs,
    p.driven_in,
    m.runners,
    p.text,
    p.home_score,
    p.away_score
FROM plays AS p LEFT JOIN moved AS m USING (game_id, seq)
