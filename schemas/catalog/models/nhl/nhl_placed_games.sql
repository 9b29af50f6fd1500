-- Games of each file of boxes with their place in it, from 1: boxes have no game id and stand in this order.
SELECT
    file_season,
    row_number() OVER (PARTITION BY file_season ORDER BY line) AS place,
    game_id,
    home_abbr,
    away_abbr,
    home_score,
    away_score
FROM nhl_boxes_games
