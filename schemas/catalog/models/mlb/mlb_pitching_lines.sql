-- Lines of pitchers by game. Earned runs are stated by both sources; the rest of Retrosheet is walked from
-- the plays.
WITH orders AS (
    SELECT
        game_ref,
        player_ref,
        CAST(row_number() OVER (PARTITION BY game_ref, side ORDER BY line) AS INTEGER) AS seq
    FROM mlb_statsapi_recorded_feed_pitchers
)

SELECT
    p.game_ref AS game_id,
    CASE p.side WHEN 1 THEN g.home_id ELSE g.away_id END AS team_id,
    r.player_id,
    r.name AS player_name,
    p.side = 1 AS is_home,
    p.seq,
    p.seq = 1 AS is_starter,
    CASE p.player_ref WHEN t.winner_id THEN 'W' WHEN t.loser_id THEN 'L' WHEN t.save_id THEN 'S' END AS decision,
    p.batters_faced,
    p.outs,
    p.hits,
    p.runs,
    p.earned_runs,
    p.home_runs,
    p.walks,
    p.intentional_walks,
    p.strikeouts,
    p.hit_by_pitch,
    p.wild_pitches,
    p.balks,
    CAST(NULL AS INTEGER) AS pitches,
    CAST(NULL AS INTEGER) AS strikes,
    true AS is_walked
FROM mlb_retrosheet_pitching AS p JOIN mlb_source_games AS g ON (g.game_id, g.source) = (p.game_ref, 'retrosheet')
JOIN mlb_retrosheet_games AS t USING (game_ref) JOIN mlb_player_refs AS r ON r.retro_id = p.player_ref
WHERE NOT g.is_partial
UNION ALL
SELECT
    p.game_ref,
    CASE p.side WHEN 'home' THEN g.home_ref ELSE g.away_ref END,
    p.player_ref,
    p.player_name,
    p.side = 'home',
    o.seq,
    o.seq = 1,
    CASE p.player_ref WHEN g.winner_ref THEN 'W' WHEN g.loser_ref THEN 'L' WHEN g.save_ref THEN 'S' END,
    p.pitch_batters_faced,
    p.pitch_outs,
    p.pitch_hits,
    p.pitch_runs,
    p.pitch_earned_runs,
    p.pitch_home_runs,
    p.pitch_walks,
    p.pitch_intentional_walks,
    p.pitch_strikeouts,
    p.pitch_hit_by_pitch,
    p.pitch_wild_pitches,
    p.pitch_balks,
    p.pitch_pitches,
    p.pitch_strikes,
    false
FROM mlb_statsapi_recorded_feed_players AS p JOIN mlb_statsapi_recorded_feed_games AS g USING (game_ref)
JOIN orders AS o USING (game_ref, player_ref)
WHERE p.pitch_batters_faced IS NOT NULL
