-- Competitions of a team, with seasons and matches.
SELECT
    team_slug,
    competition,
    max_by(competition_name, season || competition_name) AS competition_name,
    list(DISTINCT season ORDER BY season DESC) AS seasons,
    CAST(count(*) AS INTEGER) AS matches,
    CAST(count(goals_for) AS INTEGER) AS results
FROM soccer_team_matches
GROUP BY team_slug, competition
