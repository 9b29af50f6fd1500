-- Clubs by season, with their colours where they are listed.
SELECT
    t.season,
    c.team_id,
    c.abbr AS team_abbr,
    c.city,
    c.name,
    c.city || ' ' || c.name AS full_name,
    l.color,
    l.other_color
FROM (SELECT DISTINCT
    season,
    team_abbr
FROM wnba_team_games WHERE phase = 'regular') AS t
JOIN wnba_clubs AS c ON c.abbr = t.team_abbr LEFT JOIN wnba_schedule_2026_teams AS l ON l.team_abbr = c.abbr
