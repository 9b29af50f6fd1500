-- Names of players and tournaments.
SELECT
    'player' AS kind,
    player_slug AS slug,
    tour,
    name
FROM tennis_players WHERE name IS NOT NULL
UNION ALL
SELECT
    'tournament',
    event_slug,
    tour,
    name
FROM tennis_tournaments
