-- Games of a table are its wins and defeats, among them those at home and away; some are on neutral ground.
SELECT
    season,
    team_abbr
FROM nba_standings WHERE gp <> w + l OR w < home_w + road_w OR l < home_l + road_l
