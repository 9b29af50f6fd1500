-- Organizations of the major leagues with their affiliates, from the highest level down.
SELECT
    f.season,
    f.org_id,
    max(f.org_name) AS name,
    max(f.org_abbr) AS abbr,
    list({ 'level': f.level, 'team_id': f.team_id, 'name': f.name } ORDER BY l.place, f.team_id) AS affiliates
FROM mlb_minor_club_facts AS f JOIN mlb_minor_levels_by_id AS l USING (level) WHERE f.org_id IS NOT NULL
GROUP BY f.season, f.org_id
