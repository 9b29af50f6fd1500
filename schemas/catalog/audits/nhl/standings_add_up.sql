-- Games of a table are its wins and defeats, and points are two a win and one a defeat after regulation.
SELECT
    season,
    team_abbr
FROM nhl_standings
WHERE gp <> w + lost OR lost <> l + otl OR points <> 2 * w + otl OR diff <> gf - ga
