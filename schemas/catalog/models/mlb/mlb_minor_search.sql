-- Names of minor-league players and clubs: of a club the newest season.
SELECT
    'player' AS kind,
    player_id AS id,
    name,
    level,
    team_name,
    org_abbr
FROM mlb_minor_players WHERE name IS NOT NULL
UNION ALL
SELECT
    'team',
    team_id,
    name,
    level,
    name,
    org_abbr
FROM mlb_minor_teams
QUALIFY row_number() OVER (PARTITION BY team_id ORDER BY season DESC) = 1
