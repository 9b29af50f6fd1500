-- No form of a batter of the minor leagues rests on more appearances than those of games that were over
-- before its day.
SELECT
    f.player_id,
    f.valid_from
FROM mlb_minor_form AS f
LEFT JOIN mlb_minor_appearances AS a ON a.batter_id = f.player_id AND a.is_appearance AND a.last_day < f.valid_from
GROUP BY f.player_id, f.valid_from, f.last50_appearances HAVING f.last50_appearances > count(a.game_id)
