-- Ice time of skaters in final games.
SELECT
    s.game_id,
    s.player_id,
    s.player_name,
    s.position,
    s.team_abbr,
    s.toi_secs,
    CAST(s.toi_secs AS DOUBLE) / nullif(sum(s.toi_secs) OVER (PARTITION BY s.game_id, s.team_abbr), 0) AS toi_share,
    s.shifts,
    CAST(s.toi_secs AS DOUBLE) / nullif(s.shifts, 0) AS secs_per_shift
FROM nhl_skater_games AS s JOIN nhl_games AS g USING (game_id) WHERE g.status = 'final'
