-- The newest Elo rating that a source states for a club: of the list of clubs of the newest season.
SELECT
    n.team AS team_slug,
    left(t.file_stem, 7) AS season,
    t.elo,
    t.file,
    CAST(t.captured_at AS DATE) AS captured_on
FROM soccer_league_player_matches_teams AS t
JOIN soccer_feed_clubs AS n ON n.season = left(t.file_stem, 7) AND n.team_code = t.team_code
WHERE t.elo IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY n.team ORDER BY t.file_stem DESC, t.captured_at DESC) = 1
