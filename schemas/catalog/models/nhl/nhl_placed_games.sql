-- Games of each file of boxes with their place in it, from 1: boxes have no game id and stand in this order. The
-- place is the line, so that it stays where games of later days are not looked at.
SELECT
    file_season,
    line AS place,
    game_id,
    home_abbr,
    away_abbr,
    home_score,
    away_score
FROM nhl_boxes_games
