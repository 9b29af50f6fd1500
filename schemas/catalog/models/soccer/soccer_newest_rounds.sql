-- The newest round of every competition and season: the last one in which a match was played. A match that
-- was put off does not move its round, which stands at the middle day of its matches.
SELECT
    competition,
    season,
    round,
    matches,
    results,
    from_date,
    to_date
FROM soccer_competition_rounds WHERE is_newest
