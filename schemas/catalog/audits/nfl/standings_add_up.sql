-- Games of a table are its wins, defeats and ties, at home and away; every win is a defeat of another team.
SELECT
    season,
    team_abbr
FROM nfl_standings
WHERE gp <> w + l + t OR w <> home_w + road_w OR l <> home_l + road_l OR t <> home_t + road_t
UNION ALL
SELECT
    season,
    'all'
FROM nfl_standings
GROUP BY season
HAVING sum(w) <> sum(l) OR sum(points_for) <> sum(points_against)
