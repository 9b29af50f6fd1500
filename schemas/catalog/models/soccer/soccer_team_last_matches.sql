-- The last captured match of a team that has a result.
SELECT
    team_slug,
    match_id,
    match_date,
    competition,
    season,
    side,
    opponent_slug,
    opponent_name,
    goals_for,
    goals_against,
    status
FROM soccer_team_matches
WHERE goals_for IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY team_slug ORDER BY match_date DESC, match_id DESC) = 1
