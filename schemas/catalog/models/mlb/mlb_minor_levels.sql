-- Levels of the minor leagues by season, from the highest down, with the clubs of each.
SELECT t.season, l.level, CAST(l.place AS INTEGER) AS place, l.sport_id, l.level_name AS name, count(*) AS teams
FROM mlb_minor_teams AS t JOIN mlb_minor_levels_by_id AS l USING (level) GROUP BY ALL
