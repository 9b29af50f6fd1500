-- Players with a rating 90 days before the newest event of the tour and at least five matches since.
SELECT
    tour,
    surface,
    player_slug,
    player_name,
    elo,
    elo_90_days_ago,
    gain,
    recent_matches
FROM tennis_elo
WHERE gain IS NOT NULL AND recent_matches >= 5
