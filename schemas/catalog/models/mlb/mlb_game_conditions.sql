-- Weather, attendance and notes of games with plays or a box.
SELECT
    g.game_id,
    g.venue,
    g.weather,
    g.temperature_f,
    g.wind,
    r.field,
    r.precipitation,
    g.attendance,
    g.minutes,
    f.notes,
    g.is_partial,
    g.partial_reason,
    g.shortened_reason
FROM mlb_games AS g LEFT JOIN mlb_retrosheet_games AS r ON r.game_ref = g.game_id
LEFT JOIN (
    SELECT
        game_ref,
        notes
    FROM mlb_statsapi_recorded_feed_games
    UNION ALL
    SELECT
        game_ref,
        notes
    FROM mlb_statsapi_mock_2022_feed_games
) AS f
    ON f.game_ref = g.game_id
WHERE r.game_ref IS NOT NULL OR f.game_ref IS NOT NULL
