-- Players who were with their teams and did not play.
SELECT game_id, player_id, max(trim(concat_ws(' ', first_name, last_name))) AS player_name FROM nhl_boxes_scratches GROUP BY ALL
