-- Hustle figures of players by game, as recorded.
SELECT
    h.game_id,
    h.team_id,
    h.player_id,
    c.abbr AS team_abbr,
    concat_ws(' ', h.first_name, h.last_name) AS player_name,
    h.secs,
    h.contested_shots,
    h.contested_twos,
    h.contested_threes,
    h.deflections,
    h.charges_drawn,
    h.screen_assists,
    h.screen_assist_points,
    h.offensive_loose_balls,
    h.defensive_loose_balls,
    h.loose_balls,
    h.offensive_box_outs,
    h.defensive_box_outs,
    h.box_outs
FROM nba_stats_recorded_hustle AS h LEFT JOIN nba_clubs AS c USING (team_id)
