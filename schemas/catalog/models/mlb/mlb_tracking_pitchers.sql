-- Pitchers of tracked games by season and type of pitch.
SELECT
    p.season,
    p.pitcher_id AS player_id,
    min(coalesce(i.player_name, m.name)) AS player_name,
    p.pitch_type,
    min(p.pitch_name) AS pitch_name,
    count(*) AS pitches,
    sum(CAST(round(10 * p.velocity) AS BIGINT)) / 10.0 / nullif(count(p.velocity), 0) AS velocity_mean,
    CAST(sum(p.spin) AS DOUBLE) / nullif(count(p.spin), 0) AS spin_mean,
    CAST(sum(p.miss) AS DOUBLE) / nullif(sum(p.swing), 0) AS whiff_share,
    CAST(sum(p.called + p.miss) AS DOUBLE) / count(*) AS called_plus_whiff
FROM mlb_pitch_counts AS p LEFT JOIN mlb_players AS i ON i.player_id = p.pitcher_id
LEFT JOIN mlb_minor_players AS m ON m.player_id = p.pitcher_id
WHERE p.pitch_type IS NOT NULL GROUP BY p.season, p.pitcher_id, p.pitch_type
