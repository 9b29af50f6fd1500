-- Games of a table are its wins and defeats, at home and away.
SELECT
    season,
    team_abbr
FROM wnba_standings WHERE gp <> w + l OR w <> home_w + road_w OR l <> home_l + road_l
