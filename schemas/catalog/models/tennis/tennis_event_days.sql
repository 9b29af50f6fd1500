-- Events on each day of their week, or of two weeks for a Grand Slam, with their matches: the day of a match is not stated.
WITH events AS (
    SELECT tour, event_ref, season, event_slug, event_week, max(event_name) AS name, max(level) AS level, max(surface) AS surface,
           list({'match_id': match_id, 'round': round, 'winner': winner_name, 'loser': loser_name, 'score': score,
                 'outcome': outcome} ORDER BY round_place, match_number, match_id) AS matches
    FROM tennis_matches GROUP BY ALL
)
SELECT event_week + CAST(d.days AS INTEGER) AS day, tour, event_ref, 'event_week' AS dated_by, season, event_slug, event_week,
    name,
       level, surface, matches
FROM events, (SELECT unnest(range(14)) AS days) AS d WHERE d.days < CASE WHEN level = 'G' THEN 14 ELSE 7 END
