-- What the league's list says of minor-league clubs, with the organization's abbreviation, which the list has
-- of major clubs.
SELECT
    t.team_id,
    t.season,
    t.name,
    t.abbr,
    t.city,
    t.venue,
    t.league_id,
    t.league_name,
    t.division_name,
    l.level,
    t.org_id,
    t.org_name,
    o.abbr AS org_abbr
FROM mlb_milb_teams_teams AS t JOIN mlb_minor_levels_by_id AS l USING (sport_id)
LEFT JOIN mlb_milb_teams_teams AS o ON o.team_id = t.org_id AND o.season = t.season AND o.sport_id = '1'
