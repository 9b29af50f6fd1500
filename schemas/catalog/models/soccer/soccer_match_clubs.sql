-- What is known of a league match before it is played.
SELECT
    m.match_id,
    m.source_match_id,
    m.competition,
    m.competition_name,
    m.season,
    m.round,
    m.match_date,
    m.kick_off,
    m.home_slug,
    m.home_name,
    m.away_slug,
    m.away_name,
    m.venue
FROM soccer_matches AS m
WHERE m.match_id IN (SELECT match_id FROM soccer_preview_last_matches)
