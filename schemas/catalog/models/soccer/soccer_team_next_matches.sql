-- The first captured match of a team after its last result.
SELECT
    m.team_slug,
    m.match_id,
    m.match_date,
    m.competition,
    m.season,
    m.side,
    m.opponent_slug,
    m.opponent_name,
    m.status
FROM soccer_team_matches AS m
LEFT JOIN soccer_team_last_matches AS l ON l.team_slug = m.team_slug
WHERE m.goals_for IS NULL AND m.match_date >= coalesce(l.match_date, m.match_date) AND m.status = 'no_result'
QUALIFY row_number() OVER (PARTITION BY m.team_slug ORDER BY m.match_date, m.match_id) = 1
