-- Plate umpires of games with strikeouts and batters, and the umpire's own share before the game, drawn towards the mean of all umpires.
WITH games AS (
    SELECT game_id, league_date, umpire_id, umpire_name, strikeouts, batters_faced FROM mlb_props_pitcher_umpires
), own AS (
    SELECT g.game_id, d.value, d.raw_value, d.weight, d.games, d.confidence
    FROM games AS g JOIN mlb_umpire_dna AS d ON d.umpire_id = g.umpire_id AND d.metric = 'strikeout_share' AND d.valid_from <= g.league_date
    QUALIFY row_number() OVER (PARTITION BY g.game_id ORDER BY d.valid_from DESC) = 1
)
SELECT g.game_id, g.league_date, g.umpire_id, g.umpire_name, g.strikeouts, g.batters_faced, CAST(g.strikeouts AS DOUBLE) / g.batters_faced AS strikeout_share,
       o.value AS own_share, o.raw_value AS own_raw_share, o.weight AS own_weight, o.games AS own_games, o.confidence AS own_confidence
FROM games AS g LEFT JOIN own AS o USING (game_id)
